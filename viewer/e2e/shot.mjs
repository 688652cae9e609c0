// Pictures of the page: node e2e/shot.mjs OUT.png RUN[,RUN...] [--hash t=1] [--size 1280x800] [--light] [--do "script"]

import { launch, open_page } from "./browser.mjs";
import { serve } from "./server.mjs";

const [out, runs, ...rest] = process.argv.slice(2);
const option = (name, fallback) => (rest.includes(name) ? rest[rest.indexOf(name) + 1] : fallback);
const [width, height] = option("--size", "1280x800").split("x").map(Number);
const server = await serve(runs === "-" ? null : runs.split(","));
const browser = await launch();
const page = await open_page(browser, `${server.url}#${option("--hash", "")}`, { viewport: { width, height }, colorScheme: rest.includes("--light") ? "light" : "dark" });
const script = option("--do", "");
if (script) await page.evaluate(`(async () => { ${script} })()`);
await page.waitForTimeout(Number(option("--wait", "600")));
await page.screenshot({ path: out });
if (page.problems.length) console.log(page.problems);
await browser.close();
await server.stop();
