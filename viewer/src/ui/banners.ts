// Messages that stay until they are closed.

import { button, h, icon } from "./dom";

export class Banners {
  readonly element = h("div", { class: "banners", role: "status", "aria-live": "polite" });

  get text(): string {
    return this.element.textContent ?? "";
  }

  /** The same one is not repeated. */
  add(text: string, kind: "warn" | "info"): void {
    if ([...this.element.children].some((child) => (child as HTMLElement).dataset.text === text)) return;
    const banner = h("div", { class: `banner glass ${kind}`, "data-text": text }, icon(kind === "warn" ? "warn" : "help") as unknown as Node, h("span", {}, text), button("close", "Close", () => { banner.hidden = true; }));
    this.element.append(banner);
  }
}
