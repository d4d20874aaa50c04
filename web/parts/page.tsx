import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks'
import type { WireToken } from '../../src/contract/shapes.ts'
import { type ApiClient, clientOf } from '../api/api-client.ts'
import { AppContext, type PageApp } from '../state/app-context.ts'
import { go, useRoute } from '../state/page-route.ts'
import { forgetToken, keepToken, takeToken } from '../state/token.ts'
import { useKeys } from '../state/use-keys.ts'
import { type PageTheme, useTheme } from '../state/use-theme.ts'
import { Help } from './help.tsx'
import { type Note, Notes } from './notes.tsx'
import { SessionScreen } from './session-screen.tsx'
import { Sessions } from './sessions.tsx'
import { SignIn } from './sign-in.tsx'

const UNKNOWN_TOKEN =
  'This server does not know that token. It may have been removed or have expired: ask for a new one, or make one with pith serve token add.'

/** The whole page: asks for a token if there is none, then shows what the address names. */
export function Page() {
  const [theme, switchTheme] = useTheme()
  const [token, setToken] = useState(takeToken)
  const client = useMemo(() => (token === undefined ? undefined : clientOf(token)), [token])
  const [who, setWho] = useState<WireToken>()
  const [refused, setRefused] = useState<string>()
  useLayoutEffect(() => {
    const onHash = () => {
      if (location.hash.startsWith('#token=')) setToken(takeToken())
    }
    addEventListener('hashchange', onHash)
    onHash()
    return () => removeEventListener('hashchange', onHash)
  }, [])
  useEffect(() => {
    if (client === undefined) return
    void client.ask<WireToken>('/v1/token').then((answer) => {
      setRefused(answer.ok ? undefined : answer.status === 401 ? UNKNOWN_TOKEN : answer.message)
      setWho(answer.ok ? answer.value : undefined)
      if (!answer.ok && answer.status === 401) forgetToken()
    })
  }, [client])

  if (client === undefined || refused !== undefined)
    return <SignIn refused={refused} onToken={(text) => setToken(keepToken(text))} />
  if (who === undefined) return <main class="blank" aria-busy="true" />
  return <SignedIn client={client} who={who} theme={theme} switchTheme={switchTheme} />
}

type SignedInProps = { client: ApiClient; who: WireToken; theme: PageTheme; switchTheme: () => void }

function SignedIn({ client, who, theme, switchTheme }: SignedInProps) {
  const route = useRoute()
  const [help, setHelp] = useState(false)
  const [notes, setNotes] = useState<readonly Note[]>([])
  const app: PageApp = useMemo(() => {
    const notify: PageApp['notify'] = (text, tone) =>
      setNotes((all) => [...all.slice(-2), { id: (all.at(-1)?.id ?? 0) + 1, text, tone }])
    return { client, mayWrite: who.access === 'write', theme, notify }
  }, [client, who, theme])
  useKeys({
    '?': () => setHelp(true),
    t: switchTheme,
    '/': () => document.querySelector<HTMLInputElement>('input[type=search]')?.focus(),
  })
  const chrome = { theme, onTheme: switchTheme, onHelp: () => setHelp(true) }
  return (
    <AppContext.Provider value={app}>
      {route.session === undefined ? (
        <Sessions chrome={chrome} onOpen={(session) => go({ session })} />
      ) : (
        <SessionScreen key={route.session} id={route.session} route={route} chrome={chrome} />
      )}
      {help && <Help onClose={() => setHelp(false)} version={who.version} />}
      <Notes notes={notes} onGone={(id) => setNotes((all) => all.filter((note) => note.id !== id))} />
    </AppContext.Provider>
  )
}
