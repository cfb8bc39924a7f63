/** Messages that a view shows in place of data: no data, a failure, or the command that makes the missing table. */
import type { ComponentChildren } from 'preact';

/** Shows a message in place of data. */
export function Notice({ children }: { children: ComponentChildren }) {
  return <p class="notice">{children}</p>;
}

/** Says that data are on their way; visible after a moment, so that short waits do not flicker. */
export function Loading() {
  return (
    <p class="quiet loading-note" role="status">
      Loading …
    </p>
  );
}

/** Shows an error message. */
export function Failure({ message }: { message: string }) {
  return (
    <p class="notice failure" role="alert">
      {message}
    </p>
  );
}

/** Shows that the folder lacks a table, and the command that makes it. */
export function Missing({ what, command }: { what: string; command: string }) {
  return (
    <div class="notice">
      <p>{what}</p>
      <pre>
        <code>{command}</code>
      </pre>
    </div>
  );
}
