/**
 * Loads the ranges of the visible bars. A tile has 1024 bars: every bar, every second, every fourth and so on.
 * While a tile is loading, its bars are drawn by the nearest bars of a coarser tile, so that the picture has no
 * holes.
 */
import { decodeTile, type MapTile } from '../../map-format.ts';
import { apiPath, fetchApi } from '../use-api.ts';

const TILE_BARS = 1024;
const MAX_TILES = 96;
const MAX_ASKED = 3;

/** A bar in a loaded tile. */
export interface FoundBar {
  tile: MapTile;
  /** Index of the bar in the tile. */
  at: number;
  /** Whether it is the requested bar, and not one near it. */
  exact: boolean;
}

/** Tiles of a map, the most recently used of which are kept. */
export class MapTiles {
  readonly #key: { site: string; detector: string; order: string };
  readonly #onArrival: () => void;
  readonly #tiles = new Map<string, MapTile>();
  readonly #asked = new Map<string, AbortController>();
  /** Coarsest stride, at which one tile has the whole site. */
  readonly #coarsest: number;

  constructor(
    key: { site: string; detector: string; order: string },
    barCount: number,
    onArrival: () => void,
  ) {
    this.#key = key;
    this.#onArrival = onArrival;
    let stride = 1;
    while (stride * TILE_BARS < barCount) stride *= 2;
    this.#coarsest = stride;
  }

  /** Returns the bar, or the nearest one that is loaded. */
  find(bar: number, stride: number): FoundBar | undefined {
    for (let step = stride; step <= this.#coarsest; step *= 2) {
      const block = Math.floor(bar / (TILE_BARS * step));
      const tile = this.#tiles.get(`${step} ${block}`);
      if (!tile) continue;
      const at = Math.floor(bar / step) - block * TILE_BARS;
      if (at < tile.offsets.length - 1) return { tile, at, exact: bar % step === 0 };
    }
    return undefined;
  }

  /** Requests the tiles of a range of bars; cancels requests that are no longer needed. */
  want(first: number, end: number, stride: number): void {
    const wanted = [`${this.#coarsest} 0`];
    const step = Math.min(stride, this.#coarsest);
    const lastBlock = Math.floor(Math.max(first, end - 1) / (TILE_BARS * step));
    for (let block = Math.floor(first / (TILE_BARS * step)); block <= lastBlock; block++) {
      wanted.push(`${step} ${block}`);
    }
    for (const [name, stop] of this.#asked) if (!wanted.includes(name)) stop.abort();
    for (const name of wanted) {
      const tile = this.#tiles.get(name);
      if (tile) {
        // the least recently used tile is removed first
        this.#tiles.delete(name);
        this.#tiles.set(name, tile);
      } else if (!this.#asked.has(name) && this.#asked.size < MAX_ASKED) void this.#ask(name);
    }
  }

  async #ask(name: string): Promise<void> {
    const stop = new AbortController();
    this.#asked.set(name, stop);
    const [stride, block] = name.split(' ').map(Number);
    const path = apiPath('map/tile', {
      ...this.#key,
      first: block * TILE_BARS * stride,
      count: TILE_BARS,
      stride,
    });
    try {
      const response = await fetchApi(path, { signal: stop.signal });
      this.#tiles.set(name, decodeTile(await response.arrayBuffer()));
      if (this.#tiles.size > MAX_TILES) this.#tiles.delete(this.#tiles.keys().next().value!);
    } catch {
      // after a failure the coarser picture stays
    } finally {
      this.#asked.delete(name);
      this.#onArrival();
    }
  }

  close(): void {
    for (const stop of this.#asked.values()) stop.abort();
  }
}
