/** `/api/folder`: the explored folder, and the progress of the run that makes it. */
import { Hono } from 'hono';
import type { FolderFacts } from '../../store/explore/explore-store.ts';
import type { Explored, ExploredState } from '../explored.ts';

/** State of the folder, with its facts once it is open. */
export type FolderAnswer = ExploredState & { facts?: FolderFacts };

/** Returns the routes of `/api/folder`. */
export function folderRoutes(explored: Explored): Hono {
  return new Hono().get('/', (context) => {
    const { state } = explored;
    const answer: FolderAnswer = state.state === 'ready' ? { ...state, facts: explored.store.facts } : state;
    return context.json(answer);
  });
}
