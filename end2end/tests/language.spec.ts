import { WORDS } from "../pages/words";
import { expect, test } from "../support/story";

for (const language of ["ko", "en"] as const) {
  test.describe(() => {
    test.use({ language });

    test(`the kitchen speaks ${language}`, async ({ kitchen, restaurant, page }) => {
      const words = WORDS[language];
      const item = restaurant.dish(0);
      const order = await restaurant.fire(0, [{ item }]);
      await expect(page.locator("html")).toHaveAttribute("lang", language);
      await expect(kitchen.ticket(order)).toContainText(item.name[language] ?? "");
      for (const column of ["waiting", "cooking", "cooked"] as const) {
        await expect(kitchen.column(column)).toContainText(words.columns[column]);
      }
      await kitchen.start(order);
      await expect(kitchen.button(order, words.ready)).toBeVisible();
    });
  });
}

test("a device changes its language on the login page and keeps it", async ({ login, page }) => {
  await login.open();
  await expect(page.locator("html")).toHaveAttribute("lang", "ko");
  await page.getByRole("button", { name: "English" }).click();
  await expect(page.locator("html")).toHaveAttribute("lang", "en");
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("lang", "en");
  await expect(page.getByText("Tap your name, then enter your PIN")).toBeVisible();
});
