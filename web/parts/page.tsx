import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { WireToken } from '../../src/contract/shapes/shapes.ts'
import { GLOSSARY } from '../../src/engine/report/glossary.ts'
import { AppContext, type PageApp, type PageTheme, useTheme } from '../hooks/app-context.ts'
import { PAGE_SHORTCUTS, useKeys } from '../hooks/use-keys.ts'
import { type SignInState, useSignIn } from '../hooks/use-sign-in.ts'
import { go, type PageRoute, parseRoute } from '../state/page-route.ts'
import { MemoryScreen } from './memory/memory-screen.tsx'
import { Modal } from './modal.tsx'
import { SessionScreen } from './session/session-screen.tsx'
import { Sessions } from './start/sessions.tsx'
import { TokensScreen } from './tokens/tokens-screen.tsx'
import type { Chrome } from './top-bar.tsx'

/** The whole web inspector: asks for a token if the browser is not signed in, then shows the screen of the address. */
export function Page() {
  const [theme, switchTheme] = useTheme()
  const state = useSignIn()
  if (state.isOut)
    return <SignIn refused={state.refused} onToken={(secret) => void state.signIn({ kind: 'token', secret })} />
  if (state.who === undefined) return <Waiting />
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
    return { client, owner: who.owner, mayWrite: who.access === 'write', isAdmin: who.admin === true, theme, notify }
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
      <Screen route={route} chrome={chrome} />
      {help && <Help onClose={() => setHelp(false)} version={who.version} />}
      <Notes notes={notes} onGone={(id) => setNotes((all) => all.filter((note) => note.id !== id))} />
    </AppContext.Provider>
  )
}

function Screen({ route, chrome }: { route: PageRoute; chrome: Chrome }) {
  if (route.memory !== undefined) return <MemoryScreen folder={route.memory} chrome={chrome} />
  if (route.tokens === true) return <TokensScreen chrome={chrome} />
  if (route.session === undefined) return <Sessions chrome={chrome} onOpen={(session) => go({ session })} />
  return <SessionScreen key={route.session} id={route.session} route={route} chrome={chrome} />
}

type Note = { readonly id: number; readonly text: string; readonly tone: 'error' | undefined }

const SHOWN_MS = 6_000

/** Short messages about recent events; each disappears by itself. */
function Notes({ notes, onGone }: { notes: readonly Note[]; onGone: (id: number) => void }) {
  return (
    <div class="notes" role="status" aria-live="polite">
      {notes.map((note) => (
        <OneNote key={note.id} note={note} onGone={() => onGone(note.id)} />
      ))}
    </div>
  )
}

function OneNote({ note, onGone }: { note: Note; onGone: () => void }) {
  useEffect(() => {
    const timer = setTimeout(onGone, SHOWN_MS)
    return () => clearTimeout(timer)
  }, [])
  return <p class={note.tone === 'error' ? 'note bad' : 'note'}>{note.text}</p>
}

/** The keyboard shortcuts, grouped by where they work, and the words of Pith. */
function Help({ onClose, version }: { onClose: () => void; version: string }) {
  const places = [...new Set(PAGE_SHORTCUTS.map((shortcut) => shortcut.where))]
  return (
    <Modal title="Keys and words" class="help" onClose={onClose}>
      <div class="help-places">
        {places.map((place) => (
          <section key={place}>
            <h3>{place}</h3>
            <dl class="keys">
              {PAGE_SHORTCUTS.filter((shortcut) => shortcut.where === place).map(({ keys, does }) => (
                <div key={keys}>
                  <dt>
                    {keys.split(' ').map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <section>
        <h3>Words</h3>
        <dl class="words">
          {Object.entries(GLOSSARY).map(([word, meaning]) => (
            <div key={word}>
              <dt>{word}</dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
      </section>
      <p class="soft small">Pith {version}</p>
    </Modal>
  )
}

/** Before the first answer of the server. The words fade in late, so that they do not flash when it is fast. */
function Waiting() {
  return (
    <main class="blank" aria-busy="true">
      <p class="soft">Asking the server…</p>
    </main>
  )
}

/** Asks for the token when the address has none or the server refused it. */
function SignIn({ refused, onToken }: { refused: string | undefined; onToken: (token: string) => void }) {
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => field.current?.focus(), [])
  return (
    <main class="sign-in">
      <form
        class="card"
        onSubmit={(event) => {
          event.preventDefault()
          if (text.trim() !== '') onToken(text.trim())
        }}
      >
        <h1>Pith</h1>
        <p>
          Open the link that <code>pith serve</code> or <code>pith serve link</code> prints, or paste a token here.
        </p>
        {refused !== undefined && (
          <p class="bad" role="alert">
            {refused}
          </p>
        )}
        <label>
          Token
          <input
            ref={field}
            type="password"
            autocomplete="off"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <button class="primary" type="submit">
          Open
        </button>
      </form>
    </main>
  )
}

/** The route in the address bar; renders again when it changes. */
function useRoute(): PageRoute {
  const [route, setRoute] = useState(() => parseRoute(location.hash))
  useLayoutEffect(() => {
    const read = () => setRoute(parseRoute(location.hash))
    addEventListener('hashchange', read)
    addEventListener('popstate', read)
    // The value may have changed between the first render and this effect.
    read()
    return () => {
      removeEventListener('hashchange', read)
      removeEventListener('popstate', read)
    }
  }, [])
  return route
}
