/**
 * The part of the WebAssembly API that the host uses. TypeScript has these types only in its library for
 * browsers.
 */
declare namespace WebAssembly {
  function compile(bytes: Uint8Array): Promise<Module>;
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Memory {
    constructor(size: { initial: number; maximum?: number });
    readonly buffer: ArrayBuffer;
    grow(wasmPages: number): number;
  }
  class Instance {
    constructor(module: Module, imports: object);
    readonly exports: object;
  }
}
