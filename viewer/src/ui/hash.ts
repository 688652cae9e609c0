// Deep links: #t=1.25&cam=x,y,z,tx,ty,tz and more, kept up to date without new entries in the history.

import type { Vec3 } from "../format/cone";
import type { ContactChoice } from "../run/contact_choice";
import type { CameraPose } from "../view/stage";

export interface Link {
  t?: number;
  cam?: CameraPose;
  colour?: string;
  contacts?: boolean;
  contact?: ContactChoice;
  structure?: boolean;
  strain?: boolean;
  wireframe?: boolean;
  runs?: string[];
  strand?: number;
  theme?: string;
  panel?: string;
  ratio?: number;
  quality?: string;
}

export function parse_link(hash: string): Link {
  const words = new URLSearchParams(hash.replace(/^#/, ""));
  const link: Link = {};
  const number = (key: string) => {
    const value = words.get(key);
    return value !== null && value !== "" && Number.isFinite(Number(value)) ? Number(value) : undefined;
  };
  link.t = number("t");
  link.strand = number("strand");
  link.ratio = number("ratio");
  const numbers = (key: string, count: number) => {
    const values = words.get(key)?.split(",").map(Number);
    return values?.length === count && values.every(Number.isFinite) ? values : null;
  };
  const cam = numbers("cam", 6);
  if (cam) link.cam = { position: [cam[0], cam[1], cam[2]], target: [cam[3], cam[4], cam[5]] };
  const contact = numbers("contact", 5);
  if (contact) link.contact = { a: contact[0], b: contact[1], offset: contact.slice(2) as Vec3 };
  for (const key of ["contacts", "structure", "strain", "wireframe"] as const) if (words.has(key)) link[key] = words.get(key) !== "0";
  if (words.has("runs")) link.runs = words.get("runs")!.split(",").filter(Boolean);
  for (const key of ["colour", "theme", "panel", "quality"] as const) if (words.has(key)) link[key] = words.get(key)!;
  return link;
}

export function format_link(link: Link): string {
  const round = (value: number) => String(Number(value.toPrecision(5)));
  const parts: string[] = [];
  if (link.t !== undefined) parts.push(`t=${round(link.t)}`);
  if (link.cam) parts.push(`cam=${[...link.cam.position, ...link.cam.target].map(round).join(",")}`);
  if (link.colour && link.colour !== "natural") parts.push(`colour=${link.colour}`);
  for (const key of ["contacts", "strain", "wireframe"] as const) if (link[key]) parts.push(`${key}=1`);
  if (link.contact) parts.push(`contact=${[link.contact.a, link.contact.b, ...link.contact.offset].map(round).join(",")}`);
  if (link.structure !== undefined) parts.push(`structure=${link.structure ? 1 : 0}`);
  if (link.strand !== undefined && link.strand >= 0) parts.push(`strand=${link.strand}`);
  if (link.runs) parts.push(`runs=${link.runs.map(encodeURIComponent).join(",")}`);
  for (const key of ["theme", "quality"] as const) if (link[key]) parts.push(`${key}=${link[key]}`);
  if (link.ratio !== undefined) parts.push(`ratio=${link.ratio}`);
  return `#${parts.join("&")}`;
}
