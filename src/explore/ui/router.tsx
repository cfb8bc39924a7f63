/**
 * Stores the view and its state in the URL: `/map?site=a.example&order=url`. The path names the view and the query
 * is its state, so that every state can be linked to, and Back and Forward work.
 */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** State of a view by parameter name. */
export type Params = Record<string, string>;

/** View and state of a URL. */
export interface Route {
  view: string;
  params: Params;
}

/** Removes the token from the URL of the first load; the cookie has it from then on. */
export function forgetToken(): void {
  const url = new URL(location.href);
  if (!url.searchParams.has('token')) return;
  url.searchParams.delete('token');
  history.replaceState(null, '', url);
}

/** Returns the URL of a view; empty parameters are left out. */
export function hrefOf(view: string, params: Params = {}): string {
  const filled = Object.entries(params).filter(([, value]) => value !== '');
  const query = new URLSearchParams(filled).toString();
  return `/${view}${query === '' ? '' : `?${query}`}`;
}

/** Opens a view; `replace` is for changes of state that Back should skip. */
export function navigate(view: string, params: Params = {}, { replace = false } = {}): void {
  const href = hrefOf(view, params);
  if (href === location.pathname + location.search) return;
  if (replace) history.replaceState(null, '', href);
  else history.pushState(null, '', href);
  dispatchEvent(new Event('chaff-route'));
}

/** Returns the route of the current URL, and follows its changes. */
export function useRoute(): Route {
  const [route, setRoute] = useState(readRoute);
  useEffect(() => {
    const update = () => setRoute(readRoute());
    addEventListener('popstate', update);
    addEventListener('chaff-route', update);
    return () => {
      removeEventListener('popstate', update);
      removeEventListener('chaff-route', update);
    };
  }, []);
  return route;
}

function readRoute(): Route {
  return {
    view: location.pathname.slice(1),
    params: Object.fromEntries(new URLSearchParams(location.search)),
  };
}

interface LinkProps {
  view: string;
  params?: Params;
  children: ComponentChildren;
  class?: string;
  current?: boolean;
  title?: string;
}

/** Shows a link to a view; with a modifier key it opens a new tab, as usual. */
export function Link({ view, params = {}, children, class: name, current = false, title }: LinkProps) {
  return (
    <a
      href={hrefOf(view, params)}
      class={name}
      title={title}
      aria-current={current ? 'page' : undefined}
      onClick={(event) => {
        if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        navigate(view, params);
      }}
    >
      {children}
    </a>
  );
}
