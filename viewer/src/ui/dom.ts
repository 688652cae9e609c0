// Small helpers to build the page.

type Attributes = Record<string, string | number | boolean | ((event: Event) => void) | undefined>;

export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: (Node | string | null | undefined | false)[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child) element.append(child);
  return element;
}

const ICONS: Record<string, string> = {
  play: "M7 4.5v15l13-7.5z",
  pause: "M7 5h3.6v14H7zM13.4 5H17v14h-3.6z",
  back: "M17 5.5v13L8.5 12zM6 5.5h2v13H6z",
  next: "M7 5.5v13l8.5-6.5zM16 5.5h2v13h-2z",
  loop: "~M5 11a6 6 0 0 1 6-5h7M15 3l3.2 3L15 9M19 13a6 6 0 0 1-6 5H6M9 15l-3.2 3L9 21",
  camera: "~M4 8h3.5L9 5.5h6L16.5 8H20v11H4zM12 10.2a3.2 3.2 0 1 0 0 6.4 3.2 3.2 0 0 0 0-6.4z",
  theme: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 5.2v13.6a6.8 6.8 0 0 1 0-13.6z",
  help: "~M9.2 9.2a2.8 2.8 0 1 1 4 2.5c-.8.4-1.2.9-1.2 1.9M12 17v.2",
  panel: "~M4 5h16v14H4zM14.5 5v14",
  folder: "~M3.5 6.5h6l2 2.5h9v9.5h-17z",
  contacts: "~M6.5 17.5 17 7M17 7h-5.5M17 7v5.5M6.5 17.5h.01",
  plots: "~M4 4v16h16M7 15l3.5-5 3 3L19 7",
  compare: "~M4 5h7v14H4zM13 5h7v14h-7z",
  close: "~M6 6l12 12M18 6 6 18",
  target: "~M12 4v4M12 16v4M4 12h4M16 12h4M12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z",
  warn: "~M12 4 21 19.5H3zM12 10v4.5M12 17v.2",
  restart: "~M5 12a7 7 0 1 0 2.2-5.1L5 9M5 4.5V9h4.5",
};

/** A symbol of 24 by 24; a leading ~ means that it is drawn as lines. */
export function icon(name: string): SVGSVGElement {
  const path = ICONS[name];
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const shape = document.createElementNS("http://www.w3.org/2000/svg", "path");
  shape.setAttribute("d", path.replace("~", ""));
  shape.setAttribute("fill-rule", "evenodd");
  if (path.startsWith("~")) shape.setAttribute("class", "line");
  svg.append(shape);
  return svg;
}

export function button(symbol: string, title: string, action: () => void, id?: string): HTMLButtonElement {
  return h("button", { type: "button", class: "icon", title, "aria-label": title, id, onclick: action }, icon(symbol) as unknown as Node);
}

/** Three significant digits, with a power of ten only where needed. */
export function digits(value: number): string {
  if (!Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-3) return value.toExponential(2).replace("e-", "e−").replace("e+", "e");
  return String(Number(value.toPrecision(3)));
}

/** A length with a unit that suits it. */
export function length_text(metres: number): string {
  const size = Math.abs(metres);
  if (size >= 1) return `${digits(metres)} m`;
  if (size >= 0.01) return `${digits(metres * 100)} cm`;
  if (size >= 1e-3) return `${digits(metres * 1e3)} mm`;
  return `${digits(metres * 1e6)} µm`;
}

export function remember(key: string, value: string): void {
  try {
    localStorage.setItem(`capstan.${key}`, value);
  } catch {
    // Private windows and some file pages have no storage: the choice lasts as long as the page.
  }
}

export function recall(key: string): string | null {
  try {
    return localStorage.getItem(`capstan.${key}`);
  } catch {
    return null;
  }
}

export function brand_mark(): Node {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 32 32");
  svg.innerHTML = '<path d="M23.5 9.5a10 10 0 1 0 0 13" fill="none" stroke="currentColor" stroke-width="4" stroke-linecap="round"/><circle cx="16" cy="16" r="3" fill="currentColor"/>';
  return svg;
}

/** Hands a file to the browser's downloads. */
export function save_as(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 5000);
}
