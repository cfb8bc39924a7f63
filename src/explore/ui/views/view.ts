/** Types of a view: a name in the URL, a title, and a component that shows its state. */
import type { FunctionComponent } from 'preact';
import type { FolderFacts } from '../../../store/explore/explore-store.ts';
import type { Params } from '../router.tsx';

/** Facts about the folder. */
export type Facts = FolderFacts;

/** Properties of the component of a view. */
export interface ViewProps {
  facts: Facts;
  /** State from the URL. */
  params: Params;
}

/** A view of the explorer. */
export interface View {
  /** Path of the view: letters and hyphens. */
  name: string;
  title: string;
  /** Whether it is in the list of views; a view that needs a template or a page is opened by a link. */
  listed: boolean;
  /** Table without which the view only says how to make it. */
  table?: string;
  Body: FunctionComponent<ViewProps>;
}
