/**
 * Requests data from the API. The previous answer stays until the next one arrives; a new request cancels the old
 * one.
 */
import { useEffect, useState } from 'preact/hooks';

/** State of a request: its data, its error message, or none of them yet. */
export interface Answer<T> {
  data: T | undefined;
  error: string | undefined;
  /** Whether a request is running. */
  loading: boolean;
}

/** Requests `/api/PATH`; null requests nothing. */
export function useApi<T>(path: string | null): Answer<T> {
  const [answer, setAnswer] = useState<Answer<T> & { path: string | null }>({
    data: undefined,
    error: undefined,
    loading: path !== null,
    path: null,
  });
  useEffect(() => {
    if (path === null) return;
    const stop = new AbortController();
    setAnswer((before) => ({ ...before, loading: true }));
    askApi<T>(path, stop.signal)
      .then((data) => setAnswer({ data, error: undefined, loading: false, path }))
      .catch((error: Error) => {
        if (!stop.signal.aborted) setAnswer({ data: undefined, error: error.message, loading: false, path });
      });
    return () => stop.abort();
  }, [path]);
  return answer;
}

/** Returns the JSON answer of `/api/PATH`; throws the server's message on failure. */
export async function askApi<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await fetchApi(path, { signal })).json() as Promise<T>;
}

/** Returns an answer of the API that need not be JSON; throws the server's message on failure. */
export async function fetchApi(path: string, options: RequestInit = {}): Promise<Response> {
  const response = await fetch(`/api/${path}`, options);
  if (response.ok) return response;
  const text = await response.text();
  throw new Error(errorOf(text) ?? `the server answered ${response.status}`);
}

function errorOf(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { error?: string }).error;
  } catch {
    return text === '' ? undefined : text;
  }
}

/** Returns a path such as `name?a=1&b=2`; empty parameters are left out. */
export function apiPath(name: string, params: Record<string, string | number> = {}): string {
  const filled = Object.entries(params).filter(([, value]) => value !== '');
  if (filled.length === 0) return name;
  return `${name}?${new URLSearchParams(filled.map(([key, value]) => [key, String(value)]))}`;
}
