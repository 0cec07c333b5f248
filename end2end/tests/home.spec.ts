import { expect, test } from "../support/story";

test("nobody is signed in: the front door leads to the login, which names the store", async ({ login, page, watch }) => {
  watch.allow(/status of 401/);
  await login.chooseLanguage();
  await login.open("/");
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByRole("heading", { name: "한상차림 성수점" })).toBeVisible();
});

test("who runs the house finds every screen and the day's sales", async ({ login, restaurant, page }) => {
  await restaurant.fire(0);
  await restaurant.place(1);
  await login.chooseLanguage();
  await login.open();
  await login.signIn("owner");
  await expect(page.getByRole("heading", { name: "한상차림 성수점" })).toBeVisible();
  await expect(page.getByText("결제 1건 · 결제 대기 1건")).toBeVisible();
  for (const [name, place] of [["홀", "hall"], ["카운터", "counter"], ["주방", "kitchen"], ["메뉴", "menu"]] as const) {
    await expect(page.getByRole("link", { name })).toHaveAttribute("href", `/demo/${place}`);
  }
  await page.getByRole("link", { name: "카운터" }).click();
  await expect(page).toHaveURL(/\/demo\/counter$/);
});

for (const staff of ["hall", "counter", "kitchen"] as const) {
  test(`the ${staff} begins on its own screen, from the login and from the front door`, async ({ login, page }) => {
    await login.chooseLanguage();
    await login.open();
    await login.signIn(staff);
    await expect(page).toHaveURL(new RegExp(`/demo/${staff}$`));
    await page.goto(new URL("/", page.url()).href);
    await expect(page).toHaveURL(new RegExp(`/demo/${staff}$`));
  });
}
