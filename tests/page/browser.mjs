// Debian's Chromium, headless, drawing in software; and what every test of the page needs.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export const flags = [
  "--no-sandbox", "--headless", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
  "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--enable-precise-memory-info",
];

export const chromiumPath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);

export async function launch(source) {
  const { chromium } = await import(pathToFileURL(join(source, "node_modules/playwright-core/index.mjs")).href);
  return chromium.launch({ executablePath: chromiumPath, args: flags });
}

/** A page with nothing on its console, waiting until its document is solved. */
export async function openPage(browser, address, { width = 1000, height = 640, colorScheme = "light", touch = false, scale = 1 } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, deviceScaleFactor: scale, colorScheme, acceptDownloads: true, hasTouch: touch, permissions: address.startsWith("http") ? ["clipboard-read", "clipboard-write"] : [] });
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.stack));
  page.noComplaints = () => assert.deepEqual(complaints, []);
  page.setDefaultTimeout(30000);
  await page.goto(address);
  await page.waitForFunction(() => globalThis.sinewPage);
  return page;
}

export const solved = (page) => page.waitForFunction(() => sinewPage.document.body.get() && !sinewPage.engine.progress.get());

/** Opens files as a person does, and waits until they are there: solved where they hold markers. */
export async function openFiles(page, ...paths) {
  const before = await page.evaluate(() => { globalThis.before = sinewPage.document.capture.get() ?? sinewPage.document.body.get(); });
  await page.setInputFiles("input[type=file]", paths);
  await page.waitForFunction(() => {
    const { document, engine } = sinewPage;
    const now = document.capture.get() ?? document.body.get();
    return document.failure.get() || (now && now !== globalThis.before && document.body.get() && !engine.progress.get());
  });
  return before;
}

export const sentence = (page) => page.evaluate(() => sinewPage.document.failure.get()?.sentence ?? null);

/** What a line of the export menu saves: "motion.bvh", "solved.c3d", "capture.trc". */
export async function exported(page, writes) {
  const { readFile } = await import("node:fs/promises");
  await page.getByRole("button", { name: "Export" }).click();
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator(`.menu [data-writes="${writes}"]`).click()]);
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}
