/** What the screens say, as far as stories read it. */
export interface Words {
  storeCode: RegExp;
  find: RegExp;
  roles: Record<"owner" | "manager" | "hall" | "counter" | "kitchen", RegExp>;
  signIn: RegExp;
  wrongPin: RegExp;
  clear: string;
  live: string;
  offline: string;
  offlineBar: RegExp;
  start: string;
  ready: string;
  recall: string;
  allDay: RegExp;
  recallList: RegExp;
  undo: string;
  empty: string;
  close: string;
  soldOut: RegExp;
  voided: string;
  seen: string;
  allergy: string;
  columns: Record<"waiting" | "cooking" | "cooked", string>;
}

export type Language = "ko" | "en";

export const WORDS: Record<Language, Words> = {
  ko: {
    storeCode: /매장 코드/,
    find: /찾기/,
    roles: { owner: /점주/, manager: /매니저/, hall: /홀/, counter: /카운터/, kitchen: /주방/ },
    signIn: /^로그인$/,
    wrongPin: /PIN이 맞지 않습니다/,
    clear: "지움",
    live: "실시간",
    offline: "끊김",
    offlineBar: /연결 끊김 · 마지막 확인 .+ · 재연결 중/,
    start: "조리 시작",
    ready: "조리 완료",
    recall: "되돌리기",
    allDay: /전체 수량/,
    recallList: /되돌리기/,
    undo: "실행 취소",
    empty: "대기 중인 주문이 없습니다",
    close: "닫기",
    soldOut: /품절/,
    voided: "취소",
    seen: "확인",
    allergy: "알레르기",
    columns: { waiting: "조리 대기", cooking: "조리 중", cooked: "조리 완료" },
  },
  en: {
    storeCode: /Store code/,
    find: /Find/,
    roles: { owner: /Owner/, manager: /Manager/, hall: /Hall/, counter: /Counter/, kitchen: /Kitchen/ },
    signIn: /^Sign in$/,
    wrongPin: /That PIN is not right/,
    clear: "Clear",
    live: "Live",
    offline: "Offline",
    offlineBar: /Connection lost · last checked .+ · reconnecting/,
    start: "Start",
    ready: "Ready",
    recall: "Recall",
    allDay: /All-day/,
    recallList: /Recall/,
    undo: "Undo",
    empty: "No orders waiting",
    close: "Close",
    soldOut: /Sold out/,
    voided: "Void",
    seen: "Seen",
    allergy: "Allergy",
    columns: { waiting: "Waiting", cooking: "Cooking", cooked: "Ready" },
  },
};
