import { PINS } from "../support/staff";
import { expect, test } from "../support/story";

test("a cook finds the store, taps a name, enters the PIN and sees the kitchen", async ({ login, page }) => {
  await login.chooseLanguage();
  await login.open();
  await login.signIn("kitchen");
  await expect(page).toHaveURL(/\/demo\/kitchen$/);
});

test("a wrong PIN is told in words, the right one is taken after the delay", async ({ login, page, watch }) => {
  watch.allow(/status of 4(01|29)/);
  await login.chooseLanguage();
  await login.open();
  await login.signIn("kitchen", "0000");
  await expect(login.wrongPin).toBeVisible();
  await expect(page).toHaveURL(/\/login/);
  await login.enterPin(PINS.kitchen);
  await expect(page).toHaveURL(/\/demo\/kitchen$/);
});

test("an unknown store is told, and the demo's PINs are said to be for the demo", async ({ login, page, watch }) => {
  watch.allow(/status of 404/);
  await login.chooseLanguage();
  await login.open();
  await expect(page.getByText("체험용 매장입니다")).toBeVisible();
  await login.chooseStore("nowhere");
  await expect(page.getByRole("alert").filter({ hasText: "이 코드의 매장이 없습니다." })).toBeVisible();
  await expect(page.getByText("체험용 매장입니다")).toBeHidden();
  await expect(login.tile("kitchen")).toBeHidden();
});
