import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { ApiClient } from '../api/api-client.ts'
import type { PageTheme } from './use-theme.ts'

/** The services that every part of the web inspector may use. */
export type PageApp = {
  readonly client: ApiClient
  /** False with a read-only token: then no changes are offered. */
  readonly mayWrite: boolean
  readonly theme: PageTheme
  /** Shows one line for a while. */
  readonly notify: (text: string, tone?: 'error') => void
}

export const AppContext = createContext<PageApp | undefined>(undefined)

/** The services of the web inspector. */
export function useApp(): PageApp {
  const app = useContext(AppContext)
  if (app === undefined) throw new Error('A part was rendered outside of the AppContext')
  return app
}
