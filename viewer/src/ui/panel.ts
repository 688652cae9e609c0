// The panel beside the picture: one of its tabs, or none.

import { button, h } from "./dom";

const LABELS = { view: "View", plots: "Plots", pick: "Picked" };
export type Tab = keyof typeof LABELS;
const TABS = Object.keys(LABELS) as Tab[];

export class Panel {
  readonly element: HTMLElement;
  tab: Tab | null = null;
  private buttons = new Map<Tab, HTMLButtonElement>();

  constructor(private contents: Record<Tab, HTMLElement>, wanted: (tab: Tab | null) => void) {
    for (const tab of TABS) this.buttons.set(tab, h("button", { type: "button", role: "tab", id: `tab_${tab}`, onclick: () => wanted(tab) }, LABELS[tab]));
    this.element = h("aside", { class: "panel" },
      h("header", {}, h("nav", { role: "tablist" }, ...this.buttons.values()), button("close", "Close (p)", () => wanted(null), "close_panel")),
      h("div", { class: "body" }, ...TABS.map((tab) => contents[tab])));
  }

  has(name: string): name is Tab {
    return name in LABELS;
  }

  open(tab: Tab | null): void {
    this.tab = tab;
    for (const name of TABS) {
      this.buttons.get(name)!.setAttribute("aria-selected", String(name === tab));
      this.contents[name].hidden = name !== tab;
    }
  }

  /** Shows that a tab has something new in it. */
  mark(tab: Tab, on: boolean): void {
    this.buttons.get(tab)!.classList.toggle("live", on);
  }
}
