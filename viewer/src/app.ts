// Puts runs, pictures and controls together.

import type { Vector3 } from "three";
import { open_runs, source_of } from "./open_runs";
import { Player, type Shown } from "./player";
import { shown_frame } from "./run/frame";
import type { LiveRun } from "./live/live_run";
import type { Playable } from "./run/playable";
import type { RunSource } from "./source/source";
import { make_stage, make_view, type Quality } from "./view/quality";
import { VIEW_DIRECTIONS, type CameraPose, type Picked, type Stage } from "./view/stage";
import { Address } from "./ui/address";
import { Scales, apply_settings } from "./ui/apply_settings";
import { Banners } from "./ui/banners";
import { h, icon, recall, remember, save_as } from "./ui/dom";
import { accept_drops } from "./ui/drop";
import { parse_link, type Link } from "./ui/hash";
import { Help } from "./ui/help";
import { key_actions, type Commands } from "./ui/commands";
import { listen_to_keys } from "./ui/keys";
import { Inspector } from "./ui/inspector";
import { folder_input, landing } from "./ui/landing";
import { draw_legend } from "./ui/legend";
import { listen_to_clicks } from "./ui/picking";
import { Panel, type Tab } from "./ui/panel";
import { Plots } from "./ui/plots";
import { draw_run_menu } from "./ui/run_menu";
import { mark_selection, selection_of, type Selected } from "./ui/selection";
import { COLOURS, SettingsPanel, default_settings, type Settings } from "./ui/settings";
import { ThemeChoice } from "./ui/theme_choice";
import { Timeline } from "./ui/timeline";
import { Topbar } from "./ui/topbar";

const MOST_AT_ONCE = 4; // runs beside each other, unless more are ticked

export class App {
  readonly stage: Stage | null = null;
  private sources: RunSource[] = [];
  private shown: Shown[] = [];
  private settings = default_settings();
  private theme = new ThemeChoice(() => this.theme_changed());
  private scales = new Scales();
  private selected: Selected | null = null;
  private link: Link = {};
  private address = new Address(() => this.describe());

  private canvas = h("canvas", { id: "canvas", tabindex: 0, "aria-label": "Picture of the run" });
  private stage_box = h("div", { class: "stage" }, this.canvas);
  private labels = h("div", { class: "labels" });
  readonly banners = new Banners();
  private legend = h("div", { class: "scale", id: "legend" });
  private commands: Commands = {
    open: () => this.input.click(),
    toggle: (key) => this.change({ [key]: !this.settings[key] }),
    next_colour: () => this.next_colour(),
    tab: (tab) => this.open_tab(tab === "plots" ? (this.panel.tab === "plots" ? null : "plots") : this.panel.tab ? null : "view"),
    worst: () => this.plots.jump_to_worst(),
    look: (direction) => this.stage?.fit(direction),
    shot: () => void this.screenshot(),
    theme: () => this.theme.toggle(),
    help: () => this.help.toggle(),
    back: () => (this.selected ? this.select(null) : this.open_tab(null)),
  };
  private topbar = new Topbar(this.commands);
  private timeline = new Timeline({
    toggle: () => this.player.play(!this.player.playing),
    seek: (t) => this.player.seek(t),
    step: (frames) => this.player.step(frames),
    speed: (value) => this.player.set_speed(value),
    loop: (on) => this.player.set_loop(on),
  });
  readonly player = new Player(this.timeline, () => this.shown, {
    moved: (changed) => this.moved(changed),
    stopped: () => this.address.update(),
    drawn: () => this.stage?.drawn(),
  });
  private plots = new Plots({ seek: (t) => this.player.seek(t) });
  private inspector = new Inspector({ seek: (t) => this.player.seek(t), filter: (body) => this.filter(body), clear: () => this.select(null) });
  private settings_panel = new SettingsPanel(this.settings, { change: () => this.apply_settings(), look: (direction) => this.stage?.fit(direction) });
  private panel = new Panel({ view: this.settings_panel.element, plots: this.plots.element, pick: this.inspector.element }, (tab) => this.open_tab(tab));
  private help = new Help();
  private input = folder_input((runs, had_files) => this.take(runs, had_files));
  private drop_hint = h("div", { class: "drop_hint" }, h("div", {}, icon("folder") as unknown as Node, "Drop the run folder"));

  constructor(private root: HTMLElement) {
    this.stage_box.append(this.labels, this.legend);
    this.root.append(this.topbar.element, h("div", { class: "middle" }, this.stage_box, this.panel.element), this.timeline.element, this.banners.element, this.help.element, this.input, this.drop_hint);
    this.listen();
    this.restyle();
  }

  // ---- starting ---------------------------------------------------------------------------------------------

  /** Shows these runs beside each other, or those that the link names. */
  async start(sources: RunSource[]): Promise<void> {
    this.sources = sources;
    this.link = parse_link(location.hash);
    if (!sources.length) return this.show_landing(null);
    this.open_first_tab();
    const named = sources.filter((source) => this.link.runs?.includes(source.name));
    await this.show_runs(named.length ? named : sources.slice(0, MOST_AT_ONCE));
    const { link } = this;
    this.follow_link_settings();
    if (link.cam) this.stage?.set_pose(link.cam);
    this.select_linked();
    if (link.t !== undefined) await this.player.seek_now(link.t);
    this.poll();
  }

  private follow_link_settings(): void {
    const { link, settings } = this;
    if (link.colour && COLOURS.some(([mode]) => mode === link.colour)) settings.colour = link.colour as Settings["colour"];
    for (const key of ["contacts", "strain", "wireframe"] as const) if (link[key]) settings[key] = true;
    if (link.structure !== undefined) settings.structure = link.structure;
    this.settings_panel.refresh();
    this.apply_settings();
  }

  private select_linked(): void {
    const run = this.shown[0]?.run;
    const { strand, contact } = this.link;
    if (!run) return;
    if (contact) this.select({ run, selection: { kind: "contact", contact } }, false);
    else if (strand !== undefined && strand < run.model.strands)
      this.select({ run, selection: { kind: "strand", body: strand, point: run.model.points_per_strand[strand] - 1 } }, false);
  }

  /** Before the first picture, which is fitted to what the panel leaves. */
  private open_first_tab(): void {
    const wanted = this.link.panel ?? (innerWidth >= 900 ? (recall("panel") ?? "view") : "none");
    this.open_tab(this.panel.has(wanted) ? wanted : null, false);
  }

  /** A simulation that goes on now, with controls of its own. */
  show_live(live: LiveRun, controls: HTMLElement): void {
    this.link = parse_link(location.hash);
    this.root.classList.add("live_mode");
    this.settings_panel.extra.append(controls);
    this.open_first_tab();
    const stage = this.ensure_stage([live]);
    const view = make_view(live, stage, this.quality);
    this.shown = [{ run: live, view }];
    stage.set_views([view]);
    stage.fit();
    if (this.link.cam) stage.set_pose(this.link.cam);
    this.settings_panel.set_models([live.model]);
    this.list_runs();
    this.restyle();
    this.follow_link_settings();
    this.player.show_newest();
  }

  replace_timeline(element: HTMLElement): void {
    this.timeline.element.replaceWith(element);
  }

  private show_landing(message: string | null): void {
    this.root.classList.add("empty_page");
    this.root.querySelector(".landing")?.remove();
    this.stage_box.append(landing(() => this.input.click(), message));
  }

  /** Adds runs that were dropped or picked, and shows them. */
  take(runs: RunSource[], had_files: boolean): void {
    if (!runs.length) {
      const message = had_files
        ? "There is no manifest.json in what you dropped. Choose the folder that \"capstan run\" wrote, for instance runs/curls, not a file inside it."
        : "The browser handed over no files. Try the button \"Choose a run folder\".";
      if (this.shown.length) this.banners.add(message, "warn");
      else this.show_landing(message);
      return;
    }
    this.sources = [...this.sources, ...runs];
    void this.show_runs(runs.slice(0, MOST_AT_ONCE));
  }

  async show_runs(sources: RunSource[]): Promise<void> {
    const opened = await open_runs(sources, this.shown.map(({ run }) => run), (sentence) => this.banners.add(sentence, "warn"));
    if (!opened.length) {
      if (!this.shown.length) this.show_landing(this.banners.text);
      return;
    }
    this.root.classList.remove("empty_page");
    this.root.querySelector(".landing")?.remove();
    const first_time = this.shown.length === 0;
    const stage = this.ensure_stage(opened);
    const next = opened.map((run): Shown => this.shown.find((shown) => shown.run === run) ?? { run, view: make_view(run, stage, this.quality) });
    for (const old of this.shown) if (!next.includes(old)) old.view.dispose();
    const same_first = !first_time && next[0].run === this.shown[0].run;
    this.shown = next;
    for (const { run } of next) run.on_change = () => this.run_changed();
    if (this.selected && !next.some(({ run }) => run === this.selected!.run)) this.select(null);
    stage.set_views(next.map(({ view }) => view));
    if (!same_first) stage.fit();
    this.settings_panel.set_models(next.map(({ run }) => run.model));
    this.list_runs();
    this.restyle();
    this.apply_settings();
    this.run_changed();
    await this.player.seek_now(Math.min(this.player.t, this.player.duration));
    for (const { run } of next) void run.read_stats().then(() => this.stats_arrived());
  }

  private ensure_stage(runs: Playable[]): Stage {
    if (this.stage) return this.stage;
    const stage = make_stage(this.canvas, runs, this.quality);
    (this as { stage: Stage | null }).stage = stage;
    stage.on_camera = () => this.address.update();
    stage.on_layout = (places) => {
      this.labels.replaceChildren(...(this.shown.length > 1 ? places.map((place, k) =>
        h("span", { class: `c${k % 5}`, style: `left:${place.left}px;top:${place.top}px` }, this.shown[k]?.run.name ?? "")) : []));
    };
    listen_to_clicks(stage, (hit) => this.picked(hit), (place) => this.look_at(place));
    return stage;
  }

  private get quality(): Quality {
    return { high: this.link.quality === "high", ratio: this.link.ratio };
  }

  /** A run that is still being computed grows. */
  private poll(): void {
    setInterval(() => {
      for (const { run } of this.shown) void this.follow(run);
    }, 2500);
  }

  private async follow(run: Playable): Promise<void> {
    try {
      if (!(await run.refresh())) return;
      await run.read_stats();
      this.stats_arrived();
    } catch {
      // The server may be gone for a moment; the next turn asks again.
    }
  }

  // ---- time -------------------------------------------------------------------------------------------------

  private moved(changed: boolean): void {
    this.update_clock();
    if (changed) this.stage?.redraw();
  }

  private update_clock(): void {
    this.player.show_clock();
    this.plots.set_time(this.player.t);
    const selected = this.selected && this.shown.find(({ run }) => run === this.selected!.run);
    if (selected?.view.moment) this.inspector.set_frame(shown_frame(selected.view.moment), this.player.t);
    this.show_legend();
    this.address.update();
  }

  // ---- what is shown ----------------------------------------------------------------------------------------

  private apply_settings(): void {
    const { settings } = this;
    for (const { view } of this.shown) apply_settings(settings, this.scales, view);
    this.topbar.contacts_shown = settings.contacts;
    this.show_legend();
    this.address.update();
    this.stage?.redraw();
  }

  private show_legend(): void {
    draw_legend(this.legend, this.settings, this.scales, this.shown);
  }

  private change(settings: Partial<Settings>): void {
    Object.assign(this.settings, settings);
    this.settings_panel.refresh();
    this.apply_settings();
  }

  private filter(body: number): void {
    this.change({ filter: this.settings.filter === body ? null : body, contacts: true });
  }

  private next_colour(): void {
    if (!this.shown.some(({ run }) => run.model.strands > 0)) return;
    const modes = COLOURS.map(([mode]) => mode);
    this.change({ colour: modes[(modes.indexOf(this.settings.colour) + 1) % modes.length] });
  }

  private run_changed(): void {
    const loaded = this.shown[0]?.run.ranges("loaded") ?? [];
    this.timeline.set_duration(this.player.duration);
    this.timeline.set_ranges(loaded, this.shown.flatMap(({ run }) => run.ranges("lost")));
    for (const { run } of this.shown) for (const warning of run.warnings) this.banners.add(warning, "warn");
    if (this.shown[0]?.run.times.length === 0) this.banners.add(`${this.shown[0].run.name} has no frames yet. If it is still being computed, they will appear here.`, "info");
    this.trace_soon();
  }

  private trace_timer = 0;
  private trace_soon(): void {
    if (!this.selected || this.trace_timer) return;
    this.trace_timer = window.setTimeout(() => {
      this.trace_timer = 0;
      this.inspector.trace();
    }, 300);
  }

  private stats_arrived(): void {
    const first = this.shown[0]?.run;
    if (first) this.timeline.set_curve(first.stats.columns.get("t") ?? [], first.stats.columns.get("contacts") ?? []);
    this.plots.set_runs(this.shown.map(({ run }) => run), this.player.duration);
  }

  private list_runs(): void {
    const names = this.shown.map(({ run }) => run.name).join(" · ");
    const shown = this.shown.flatMap(({ run }) => source_of(run) ?? []);
    draw_run_menu(this.topbar.runs, names, this.sources, shown, (sources) => void this.show_runs(sources));
  }

  // ---- picking ----------------------------------------------------------------------------------------------

  private picked(hit: Picked | null): void {
    const shown = hit && this.shown.find(({ view }) => view === hit.view);
    if (!shown || !hit.pick) return this.select(null);
    this.select({ run: shown.run, selection: selection_of(hit.pick, shown.view.moment!) });
  }

  private look_at(place: Vector3): void {
    const stage = this.stage!;
    const offset = stage.camera.position.clone().sub(stage.controls.target).multiplyScalar(0.6);
    stage.set_pose({ position: place.clone().add(offset).toArray(), target: place.toArray() });
  }

  private select(selected: Selected | null, open = true): void {
    this.selected = selected;
    for (const { run, view } of this.shown) mark_selection(view, selected?.run === run ? selected.selection : null);
    if (selected && open) this.open_tab("pick", false);
    this.inspector.show(selected && { name: selected.run.name, model: selected.run.model, end: this.player.duration, frames: () => selected.run.loaded_frames() }, selected?.selection ?? null);
    this.panel.mark("pick", selected !== null);
    this.update_clock();
    this.stage?.redraw();
  }

  // ---- page -------------------------------------------------------------------------------------------------

  private open_tab(tab: Tab | null, by_hand = true): void {
    this.panel.open(tab);
    this.root.classList.toggle("with_panel", tab !== null);
    if (by_hand && innerWidth >= 900 && tab !== "pick") remember("panel", tab ?? "none");
    if (tab === "plots") this.plots.build();
    if (tab === "pick") this.inspector.trace();
    if (this.shown.length) this.update_clock();
  }

  private theme_changed(): void {
    if (this.link.theme) this.link.theme = this.theme.name;
    this.restyle();
  }

  private restyle(): void {
    document.documentElement.dataset.theme = this.theme.name;
    for (const { view } of this.shown) view.theme(this.theme.name);
    this.plots.build();
    this.inspector.trace();
    this.stats_arrived();
    this.stage?.redraw();
  }

  private async screenshot(): Promise<void> {
    if (!this.stage) return;
    const name = `${this.shown.map(({ run }) => run.name).join("_")}_${this.player.t.toFixed(3)}s.png`;
    save_as(name, await this.stage.picture());
  }

  /** What the address of the page should say. */
  private describe(): Link | null {
    if (!this.stage || !this.shown.length) return null;
    const selection = this.selected?.selection;
    return {
      ...this.link,
      t: this.player.t,
      cam: this.stage.pose(),
      colour: this.settings.colour,
      contacts: this.settings.contacts,
      structure: this.settings.structure ? undefined : false,
      strain: this.settings.strain,
      wireframe: this.settings.wireframe,
      contact: selection?.kind === "contact" ? selection.contact : undefined,
      strand: selection?.kind === "strand" ? selection.body : undefined,
      runs: this.sources.length > 1 ? this.shown.map(({ run }) => run.name) : undefined,
    };
  }

  private listen(): void {
    listen_to_keys((shift) => (this.help.element.open ? { "?": () => this.help.toggle() } : key_actions(this.player, this.commands, shift)));
    accept_drops((on) => this.root.classList.toggle("dropping", on), (runs, had_files) => this.take(runs, had_files));
    this.address.listen((link) => {
      if (link.cam) this.stage?.set_pose(link.cam);
      if (link.t !== undefined) this.player.seek(link.t);
    });
  }

  // ---- for programs that drive the page ---------------------------------------------------------------------

  get times(): number[] {
    return Array.from(this.player.leader?.times ?? []);
  }

  async set_camera(pose: CameraPose | string): Promise<void> {
    if (typeof pose === "string") this.stage?.fit(VIEW_DIRECTIONS[pose]);
    else this.stage?.set_pose(pose);
    await this.stage?.drawn();
  }

  hide_ui(): void {
    this.open_tab(null, false);
    this.root.classList.add("bare");
    this.stage?.resize();
  }

  set_option(key: string, value: unknown): void {
    this.change({ [key]: value });
  }
}
