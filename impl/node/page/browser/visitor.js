// A visitor of the page: Debian's Chromium, looking at what is on the screen and using mouse and keyboard.
//
// The page's own functions are never called, and nothing waits for a fixed time.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import puppeteer from 'puppeteer-core';

/** Milliseconds until something that must happen has to have happened, on the slowest machine. */
const PATIENCE = 90_000;
const SCREENSHOTS = process.env.AARDVARK_SCREENSHOTS;

/** Starts Chromium, which finds no host but this machine's loopback. */
export function startBrowser() {
  const unconfined = process.getuid() === 0 ? ['--no-sandbox'] : [];
  return puppeteer.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', timeout: PATIENCE, protocolTimeout: PATIENCE,
    args: [...unconfined, '--disable-gpu', '--disable-dev-shm-usage', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
  });
}

/** Asks until the answer is true; gives it. */
export async function until(question, what) {
  for (const begun = Date.now(); Date.now() - begun < PATIENCE;) {
    const answer = await question();
    if (answer) return answer;
    await setTimeout(25);
  }
  throw new Error(`${what} did not come about in ${PATIENCE / 1000} s`);
}

export class Visitor {
  /** What the page asked for, what it complained of, and the windows that it opened. */
  requests = [];
  complaints = [];

  /** Opens the page in a profile of its own, and waits until it shows what the archive is at. */
  static async open(browser, url, { width = 1100, height = 900, dark = false } = {}) {
    const context = await browser.createBrowserContext();
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE);
    const visitor = Object.assign(new Visitor(), { context, page });
    page.on('request', (request) => visitor.requests.push(request.url()));
    page.on('pageerror', (error) => visitor.complaints.push(error.message));
    page.on('dialog', (dialog) => visitor.complaints.push(dialog.message()) && dialog.dismiss());
    page.on('popup', (popup) => visitor.complaints.push(popup.url()));
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }]);
    await page.setViewport({ width, height });
    visitor.answer = await page.goto(url);
    await until(async () => await visitor.text('#status') !== 'asking …', 'the archive\'s status');
    return visitor;
  }

  close() {
    return this.context.close();
  }

  /** What stands in an element, as it is seen; null where it is hidden or missing. */
  text(selector) {
    return this.page.evaluate((selector) => {
      const found = document.querySelector(selector);
      return found?.checkVisibility() ? found.innerText.trim() : null;
    }, selector);
  }

  /** The same of all elements that fit. */
  texts(selector) {
    return this.page.$$eval(selector, (found) => found.map((element) => element.textContent.trim()));
  }

  /** Writes into an input in the place of what it has. */
  async write(id, text) {
    await this.page.$eval(`#${id}`, (input) => { input.closest('details')?.setAttribute('open', ''); });
    await this.page.click(`#${id}`, { count: 3 });
    await this.page.keyboard.press('Backspace');
    await this.page.keyboard.sendCharacter(text);
  }

  /** Asks for a key, in a browser that trusts `trust` (the inputs by their names); gives what the page says. */
  async ask(key, trust = {}) {
    for (const [id, text] of Object.entries(trust)) await this.write(id, text);
    await this.write('key', key);
    await this.page.click('#search button');
    return this.verdict();
  }

  /** The verdict, once there is one: the page says while it is not there yet. */
  async verdict() {
    return until(() => this.page.evaluate(() => {
      const [result, verdict] = ['result', 'verdict'].map((id) => document.getElementById(id));
      return result.getAttribute('aria-busy') === 'false' && verdict.checkVisibility() && verdict.innerText.trim();
    }), 'a verdict');
  }

  /** What the table of the claim says: its rows by their names. */
  async claim() {
    const [terms, texts] = [await this.texts('#claim dt'), await this.texts('#claim dd')];
    return Object.fromEntries(terms.map((term, place) => [term, texts[place]]));
  }

  /** What is wider than its place: the window, or a frame in it. */
  overflows() {
    return this.page.$$eval('html, section', (frames) =>
      frames.filter((frame) => frame.scrollWidth > frame.clientWidth).map((frame) => `${frame.tagName}: ${frame.innerText.slice(0, 40)}`));
  }

  /** Keeps what is seen, where somebody wants to look at it. */
  async shoot(name) {
    if (SCREENSHOTS === undefined) return;
    mkdirSync(SCREENSHOTS, { recursive: true });
    await this.page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true });
  }
}
