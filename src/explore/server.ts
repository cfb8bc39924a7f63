/**
 * The server of `chaff explore`: it listens on the loopback address, hands out the page (built from `ui/` into `page/`) and
 * answers `/api/…`. `guard.ts` decides who may ask; each view has one module of routes in `api/`, which asks the store.
 *
 * How to add a view:
 * 1. `src/store/explore/NAME.ts`: functions that take an ExploreStore and give rows (SQL stays in `store/`).
 * 2. `src/explore/api/NAME-routes.ts`: `export function nameRoutes(explored: Explored): Hono`, with `GET /…` below
 *    `/api/NAME`; add it to `api/index.ts`. Check parameters with `api/parameters.ts`.
 * 3. `src/explore/ui/views/NAME.tsx`: `export const nameView: View`, with the title, the state that it keeps in the URL and
 *    what it draws; add it to `ui/views/index.ts`. It takes data by `useApi`, changes its state by `navigate` and uses the
 *    parts of `ui/parts/`. Text from pages goes through Preact, which escapes it; URLs from pages go through `OutsideLink`.
 * 4. Tests: `api/NAME-routes.test.ts`, and a step in `test/end-to-end/explore.test.ts`.
 */
import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { apiRoutes } from './api/index.ts';
import { Explored, type FolderSource } from './explored.ts';
import { frameRoutes } from './frame/frame-routes.ts';
import { guard } from './guard.ts';
import { PageDesk, type PageDeskOptions } from './page-desk.ts';
import { readPageFile } from './page-files.ts';

/** Folder and port of an explorer. */
export interface ExplorerOptions extends PageDeskOptions {
  source: FolderSource;
  /** Port; 0 for any free port. @default 0 */
  port?: number;
}

/** A running explorer. */
export interface Explorer {
  port: number;
  /** URL with the token, which gives access to the folder. */
  url: string;
  /** Resolves when the folder is open or could not be opened. */
  opened: Promise<void>;
  /** Whether the folder is open; false while a report runs. */
  readonly isOpen: boolean;
  /** Reason why the folder could not be opened. */
  readonly failure: string | undefined;
  close(): Promise<void>;
}

/** Starts the server, and opens the folder in the background. Throws when the port is in use. */
export async function startExplorer({ source, port = 0, ...options }: ExplorerOptions): Promise<Explorer> {
  const token = randomBytes(24).toString('base64url');
  let listening = port;
  const explored = new Explored(source);
  const desk = new PageDesk(explored, options);
  const app = explorerApp(explored, desk, { token, port: () => listening });
  const server = createAdaptorServer({ fetch: app.fetch });
  try {
    await new Promise<void>((resolve, reject) => {
      // later errors, such as too many open files, cost one connection
      server.on('error', reject);
      server.listen(port, '127.0.0.1', resolve);
    });
  } catch (error) {
    await desk.close();
    await explored.close();
    throw error;
  }
  listening = (server.address() as AddressInfo).port;
  return {
    port: listening,
    url: `http://127.0.0.1:${listening}/?token=${token}`,
    opened: explored.opened,
    get isOpen() {
      return explored.state.state === 'ready';
    },
    get failure() {
      return explored.state.state === 'failed' ? explored.state.message : undefined;
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      if ('closeAllConnections' in server) server.closeAllConnections();
      await closed;
      await desk.close();
      await explored.close();
    },
  };
}

/** Returns the routes of the explorer behind `guard`. */
function explorerApp(explored: Explored, desk: PageDesk, access: Parameters<typeof guard>[0]): Hono {
  const app = new Hono();
  // requests from frames have no cookie; their routes check a token of their own
  app.route('/frame', frameRoutes(desk, access));
  app.use(guard(access));
  app.route('/api', apiRoutes(explored, desk));
  // any other path is a view or a file of the browser page
  app.get('*', (context) => {
    const { bytes, type } = readPageFile(context.req.path);
    return context.body(bytes, 200, { 'Content-Type': type });
  });
  return app;
}
