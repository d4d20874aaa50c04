import { useMemo, useState } from 'preact/hooks'
import type { WireToken } from '../../src/contract/shapes/shapes.ts'
import { AppContext, type PageApp } from '../hooks/app-context.ts'
import { useKeys } from '../hooks/use-keys.ts'
import { useRoute } from '../hooks/use-route.ts'
import { type SignInState, useSignIn } from '../hooks/use-sign-in.ts'
import { type PageTheme, useTheme } from '../hooks/use-theme.ts'
import { go } from '../state/page-route.ts'
import { Help } from './help.tsx'
import { type Note, Notes } from './notes.tsx'
import { SessionScreen } from './session/session-screen.tsx'
import { SignIn } from './sign-in.tsx'
import { Sessions } from './start/sessions.tsx'

/** The whole page: asks for a token if the browser is not signed in, then shows what the address names. */
export function Page() {
  const [theme, switchTheme] = useTheme()
  const state = useSignIn()
  if (state.isOut)
    return <SignIn refused={state.refused} onToken={(secret) => void state.signIn({ kind: 'token', secret })} />
  if (state.who === undefined) return <main class="blank" aria-busy="true" />
  return <SignedIn state={state} who={state.who} theme={theme} switchTheme={switchTheme} />
}

type SignedInProps = { state: SignInState; who: WireToken; theme: PageTheme; switchTheme: () => void }

function SignedIn({ state: { client, signOut }, who, theme, switchTheme }: SignedInProps) {
  const asked = useRoute()
  // A link to one session shows nothing else.
  const route = who.session === undefined || asked.session === who.session ? asked : { session: who.session }
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
  const onSignOut = who.session === undefined ? () => void signOut() : undefined
  const chrome = { theme, onTheme: switchTheme, onHelp: () => setHelp(true), onSignOut }
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
