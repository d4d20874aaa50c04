import type { ComponentChildren } from 'preact'
import type { PageTheme } from '../hooks/app-context.ts'
import { routeHash } from '../state/page-route.ts'

export type Chrome = {
  readonly theme: PageTheme
  readonly onTheme: () => void
  readonly onHelp: () => void
  /** Undefined for a link to one session: its tab has nothing to sign out of. */
  readonly onSignOut: (() => void) | undefined
}

/** The line on top of every screen: the path to it, the state of the event stream (if there is one), theme and help. */
export function TopBar(props: { chrome: Chrome; live: boolean | undefined; children?: ComponentChildren }) {
  const { theme, onTheme, onHelp, onSignOut } = props.chrome
  return (
    <header class="top">
      <a class="brand" href={routeHash({})}>
        <svg viewBox="0 0 32 32" width="18" height="18" aria-hidden="true">
          <circle cx="16" cy="16" r="13" fill="none" stroke="currentColor" stroke-width="3.5" />
          <circle cx="16" cy="16" r="6" fill="currentColor" />
        </svg>
        Pith
      </a>
      <div class="crumbs">{props.children}</div>
      {props.live !== undefined && (
        <span class={props.live ? 'live on' : 'live'} role="status">
          {props.live ? 'Live' : 'Connecting…'}
        </span>
      )}
      <button
        type="button"
        class="icon"
        onClick={onTheme}
        aria-label={`Switch to ${theme === 'dark' ? 'light' : 'dark'}`}
        title="Dark or light (t)"
      >
        {theme === 'dark' ? '☾' : '☀'}
      </button>
      <button type="button" class="icon" onClick={onHelp} aria-label="Keys and words" title="Keys and words (?)">
        ?
      </button>
      {onSignOut !== undefined && (
        <button type="button" class="icon" onClick={onSignOut} aria-label="Sign out" title="Sign out of this browser">
          ↪
        </button>
      )}
    </header>
  )
}

/** Shown if the target of the address cannot be shown: the reason, and a link to another screen. */
export function NotThere({ why, to, label }: { why: string; to: string; label: string }) {
  return (
    <div class="empty">
      <p role="alert">{why}</p>
      <a class="button" href={to}>
        {label}
      </a>
    </div>
  )
}
