/** `/api/labels`: pages to label, their blocks and marks, and the agreement of two people. */
import { type Context, Hono } from 'hono';
import { checkAnnotator, StaleLabelsError } from '../labels/label-file.ts';
import { isMark } from '../labels/label-page.ts';
import type { LabelFolderAnswer, Mark } from '../page-answers.ts';
import type { PageDesk } from '../page-desk.ts';
import { BadParameter, numberParameter, textParameter } from './parameters.ts';

const PAGE = { most: 0xffffffff };
/** Maximum bytes of a request that saves marks; a page of 100,000 blocks needs fewer. */
const MAX_BODY_BYTES = 2 * 1024 * 1024;

/** Returns the routes of `/api/labels`. */
export function labelRoutes(desk: PageDesk): Hono {
  return new Hono()
    .get('/', (context) => {
      const { folder } = desk.labelling;
      const inputs = desk.pages.tables.run.inputs.map(({ name }) => name);
      return context.json({
        annotators: folder.annotators(),
        folder: folder.path,
        inputs,
      } satisfies LabelFolderAnswer);
    })
    .get('/queue', async (context) =>
      context.json(
        await desk.labelling.queue(textParameter(context, 'site'), annotatorOf(context, 'annotator')),
      ),
    )
    .get('/page', async (context) => {
      const page = numberParameter(context, 'page', PAGE);
      return context.json(await desk.labelling.page(page, annotatorOf(context, 'annotator')));
    })
    .put('/page', async (context) => {
      const page = numberParameter(context, 'page', PAGE);
      const annotator = annotatorOf(context, 'annotator');
      const body = await readMarks(context);
      try {
        return context.json({ version: await desk.labelling.save(page, annotator, body) });
      } catch (error) {
        if (error instanceof StaleLabelsError) return context.json({ error: error.message }, 409);
        throw error;
      }
    })
    .get('/agreement', async (context) =>
      context.json(
        await desk.labelling.agreement(annotatorOf(context, 'first'), annotatorOf(context, 'second')),
      ),
    );
}

function annotatorOf(context: Context, name: string): string {
  try {
    return checkAnnotator(textParameter(context, name));
  } catch (error) {
    throw new BadParameter((error as Error).message);
  }
}

async function readMarks(context: Context): Promise<{ marks: (Mark | null)[]; version: string }> {
  if (!(Number(context.req.header('content-length')) <= MAX_BODY_BYTES))
    throw new BadParameter('too many marks');
  const body = (await context.req.json().catch(() => null)) as { marks?: unknown; version?: unknown } | null;
  const { marks, version } = body ?? {};
  if (typeof version !== 'string') throw new BadParameter('version must be a text');
  if (!Array.isArray(marks) || !marks.every((mark) => mark === null || isMark(mark))) {
    throw new BadParameter('marks must be a list of content, template, slot, comment or null');
  }
  return { marks, version };
}
