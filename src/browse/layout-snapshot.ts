/**
 * What Chromium tells of a page that it has laid out (DOMSnapshot.captureSnapshot of the DevTools protocol): its
 * nodes in document order as columns, and a box for each that has one. Strings are numbers of a table.
 */
export interface LayoutSnapshot {
  /** The page, then documents of frames. */
  documents: SnapshotDocument[];
  strings: string[];
}

export interface SnapshotDocument {
  nodes: {
    /** -1 for the document. */
    parentIndex: number[];
    nodeType: number[];
    nodeName: number[];
    nodeValue: number[];
    /** Names and values in turn, in the order of the source. */
    attributes: number[][];
  };
  layout: {
    /** The node of each box; a node may have several. */
    nodeIndex: number[];
    /** Left, top, width, height in CSS pixels of the page. */
    bounds: number[][];
    /** Values of the styles that were asked for; the first is `visibility`. */
    styles: number[][];
  };
  contentWidth?: number;
  contentHeight?: number;
}

/** What to ask for with a snapshot. */
export const SNAPSHOT_STYLES = ['visibility'];
