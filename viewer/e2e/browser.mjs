import { chromium } from "playwright-core";

export function launch() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--enable-unsafe-swiftshader", "--use-gl=angle", "--use-angle=swiftshader", "--no-sandbox"],
  });
}

/** A page that fails the test on any error in it. */
export async function open_page(browser, url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 800, height: 600 }, colorScheme: "dark", ...options });
  const page = await context.newPage();
  page.problems = [];
  page.on("pageerror", (error) => page.problems.push(String(error)));
  page.on("console", (message) => message.type() === "error" && !/404/.test(message.text()) && page.problems.push(message.text()));
  await page.goto(url);
  await page.waitForFunction(() => window.capstan);
  await page.evaluate(() => window.capstan.ready);
  return page;
}
