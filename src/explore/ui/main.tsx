/** Starts the page of the explorer. */
import { render } from 'preact';
import { App } from './app.tsx';
import { forgetToken } from './router.tsx';

forgetToken();
render(<App />, document.getElementById('app')!);
