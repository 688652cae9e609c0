// Keeps the address of the page up to date, so that it can be sent to somebody.

import { format_link, parse_link, type Link } from "./hash";

const PAUSE = 250; // ms; browsers refuse addresses that change all the time

export class Address {
  private timer = 0;
  private written = "";

  constructor(private describe: () => Link | null) {}

  /** Soon, and once for many calls. */
  update(): void {
    if (this.timer) return;
    this.timer = window.setTimeout(() => {
      this.timer = 0;
      const link = this.describe();
      if (!link) return;
      this.written = format_link(link);
      history.replaceState(null, "", this.written);
    }, PAUSE);
  }

  /** Calls when somebody else changed the address. */
  listen(follow: (link: Link) => void): void {
    addEventListener("hashchange", () => {
      if (location.hash !== this.written) follow(parse_link(location.hash));
    });
  }
}
