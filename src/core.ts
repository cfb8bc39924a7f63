/**
 * `chaff/core`: one page or a growing site, in a browser, a service worker or an edge runtime. The kernel and the model
 * are inside the module, so nothing is fetched. core-platform.ts lists the differences to the library for Node.
 */
import { useJointModel } from './detect/joint/compact-joint-model.ts';
import { useKernel } from './kernel/given-kernel.ts';
import { type Extraction, type ExtractOptions, extract as extractNow } from './run/library/extract.ts';
import { Site, site } from './run/library/growing-site.ts';

export type { Label } from './model/range.ts';
export type { Role } from './model/role.ts';
export type { Extraction, ExtractOptions, Region } from './run/library/extract.ts';
export type { Site, SiteOptions } from './run/library/growing-site.ts';
export type { PageInput } from './run/library/page-input.ts';

/** Options of `load`. */
export interface LoadOptions {
  /**
   * The kernel as a compiled module, for runtimes that cannot compile one: the default export of `chaff/core.wasm`.
   * @default the kernel inside this module, compiled here
   */
  kernel?: object;
}

/** The loaded library; all its calls are synchronous. */
export interface Core {
  extract(html: string | Uint8Array, options?: ExtractOptions): Extraction;
  site: typeof site;
  Site: typeof Site;
}

/** The kernel and the model, compressed and in Base64; scripts/bundle-core.mjs replaces these texts. */
const KERNEL = '@kernel@';
const MODEL = '@model@';

let loading: Promise<Core> | undefined;

/**
 * Compiles the kernel and reads the model, once: later calls give the same library and ignore their options. After a
 * failure the next call tries again.
 */
export function load({ kernel }: LoadOptions = {}): Promise<Core> {
  loading ??= open(kernel as WebAssembly.Module | undefined).catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

/** Extracts the main text and metadata of a page; loads the kernel and the model first if needed. */
export async function extract(html: string | Uint8Array, options: ExtractOptions = {}): Promise<Extraction> {
  return (await load()).extract(html, options);
}

async function open(kernel: WebAssembly.Module | undefined): Promise<Core> {
  useKernel(kernel ?? (await WebAssembly.compile(await unpack(KERNEL))));
  useJointModel(await unpack(MODEL));
  return { extract: extractNow, site, Site };
}

async function unpack(base64: string): Promise<Uint8Array> {
  const packed = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(unpacked).arrayBuffer());
}
