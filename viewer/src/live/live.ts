import type { App } from "../app";
export async function start_live(_app: App): Promise<boolean> { return false; }
