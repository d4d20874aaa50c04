import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Client } from '../api/client.ts'
import type { Theme } from './theme.ts'

/** What every part of the page may use. */
export type App = {
  readonly client: Client
  /** False with a token that may only read: nothing that changes a session is offered. */
  readonly mayWrite: boolean
  readonly theme: Theme
  /** Shows one line for a while. */
  readonly notify: (text: string, tone?: 'error') => void
}

export const AppContext = createContext<App | undefined>(undefined)

/** The page's own context; it is there for every part. */
export function useApp(): App {
  const app = useContext(AppContext)
  if (app === undefined) throw new Error('A part was rendered outside of the page')
  return app
}
