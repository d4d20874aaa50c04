import { useState } from 'preact/hooks'
import type { WireNewToken, WireTokenInfo } from '../../../src/contract/routes/token-routes.ts'
import { count, dollars } from '../../../src/engine/report/numbers.ts'
import { useApp } from '../../hooks/app-context.ts'
import { useKeys } from '../../hooks/use-keys.ts'
import { useLoaded } from '../../hooks/use-loaded.ts'
import { copyText } from '../../state/copy-text.ts'
import { go, routeHash } from '../../state/page-route.ts'
import { localDateTime } from '../../text/times.ts'
import { visibleLine } from '../../text/visible.ts'
import { Modal } from '../modal.tsx'
import { type Chrome, TopBar } from '../top-bar.tsx'
import { TokenDialog } from './token-dialog.tsx'

/** The tokens of the server, for administrators: who may do what, until when, and what each has spent today. */
export function TokensScreen({ chrome }: { chrome: Chrome }) {
  const [version, setVersion] = useState(0)
  const [dialog, setDialog] = useState<
    'new' | { readonly change: WireTokenInfo } | { readonly remove: WireTokenInfo }
  >()
  const [made, setMade] = useState<WireNewToken>()
  const { value, failure } = useLoaded<{ tokens: WireTokenInfo[] }>('/v1/tokens', { version })
  const close = () => setDialog(undefined)
  const changed = () => {
    close()
    setMade(undefined)
    setVersion(version + 1)
  }
  useKeys({ Escape: () => go({}) })
  return (
    <>
      <TopBar chrome={chrome} live={undefined}>
        <a href={routeHash({})}>Sessions</a>
        <span aria-hidden="true">/</span>
        <h1>Tokens</h1>
      </TopBar>
      <main class="list tokens-screen">
        <div class="list-head">
          <p class="soft">
            Every program and person that uses this server has a token. A budget limits what a token spends of the
            server’s own model keys on a day, which begins at midnight UTC.
          </p>
          <button type="button" class="primary" onClick={() => setDialog('new')}>
            New token
          </button>
        </div>
        {made !== undefined && <NewSecret made={made} />}
        {failure !== undefined && <p class="bad card">{failure.message}</p>}
        {value !== undefined && (
          <TokenTable
            tokens={value.tokens}
            onChange={(change) => setDialog({ change })}
            onRemove={(remove) => setDialog({ remove })}
          />
        )}
      </main>
      {dialog === 'new' && (
        <TokenDialog
          onClose={close}
          onDone={(token) => {
            changed()
            setMade(token)
          }}
        />
      )}
      {typeof dialog === 'object' && 'change' in dialog && (
        <TokenDialog token={dialog.change} onClose={close} onDone={changed} />
      )}
      {typeof dialog === 'object' && 'remove' in dialog && (
        <RemoveDialog token={dialog.remove} onClose={close} onDone={changed} />
      )}
    </>
  )
}

/** The secret of a token that was just made. */
function NewSecret({ made }: { made: WireNewToken }) {
  const { notify } = useApp()
  const copy = async () =>
    (await copyText(made.secret)) ? notify('The token is on the clipboard') : notify('Copy it from the field', 'error')
  return (
    <div class="made card" role="status">
      <label>
        The new token {visibleLine(made.name, 100)}: it is shown only now
        <input class="mono" readOnly value={made.secret} onFocus={(event) => event.currentTarget.select()} />
      </label>
      <button type="button" onClick={() => void copy()}>
        Copy the token
      </button>
    </div>
  )
}

type TableProps = {
  readonly tokens: readonly WireTokenInfo[]
  readonly onChange: (token: WireTokenInfo) => void
  readonly onRemove: (token: WireTokenInfo) => void
}

function TokenTable({ tokens, onChange, onRemove }: TableProps) {
  return (
    <ul class="token-rows card" aria-label="Tokens">
      {tokens.map((token) => (
        <li key={token.name} class="token-row">
          <div class="token-who">
            <strong>{visibleLine(token.name, 100)}</strong>
            {token.is_own && <span class="tag">you</span>}
            <p class="soft small">
              {rightsText(token)} the sessions of {visibleLine(token.owner, 100)}
              {token.admin && ', and administers the tokens'}
            </p>
          </div>
          <p class="small token-limits">
            <span class={isOver(token) ? 'bad' : ''}>Today: {spentText(token)}</span>
            <br />
            <span class="soft">{untilText(token.expires)}</span>
          </p>
          <div class="token-actions">
            <button type="button" aria-label={`Change ${token.name}`} onClick={() => onChange(token)}>
              Change
            </button>
            {!token.is_own && (
              <button type="button" aria-label={`Remove ${token.name}`} onClick={() => onRemove(token)}>
                Remove
              </button>
            )}
          </div>
        </li>
      ))}
    </ul>
  )
}

function rightsText({ access }: WireTokenInfo): string {
  return access === 'read' ? 'Reads' : 'Reads and writes'
}

function untilText(expires: string | undefined): string {
  if (expires === undefined) return 'Works until it is removed'
  const at = Date.parse(expires)
  return `${at <= Date.now() ? 'Has ended at' : 'Works until'} ${localDateTime(at)}`
}

/** `$0.42 of $5.00 · 12,000 tokens`. */
function spentText({ spent, budget }: WireTokenInfo): string {
  const money = budget?.usd_per_day === undefined ? '' : ` of ${dollars(budget.usd_per_day)}`
  const tokens = budget?.tokens_per_day === undefined ? '' : ` of ${count(budget.tokens_per_day)}`
  return `${dollars(spent.usd)}${money} · ${count(spent.tokens)}${tokens} tokens`
}

function isOver({ spent, budget }: WireTokenInfo): boolean {
  const { usd_per_day = Number.POSITIVE_INFINITY, tokens_per_day = Number.POSITIVE_INFINITY } = budget ?? {}
  return spent.usd >= usd_per_day || spent.tokens >= tokens_per_day
}

/** Asks before a token is removed, because this cannot be undone. */
function RemoveDialog(props: { token: WireTokenInfo; onClose: () => void; onDone: () => void }) {
  const { token, onClose, onDone } = props
  const { client, notify } = useApp()
  const remove = async () => {
    const answer = await client.ask(`/v1/tokens/${encodeURIComponent(token.name)}`, { method: 'DELETE' })
    if (!answer.ok) return notify(answer.message, 'error')
    notify(`${token.name} is refused from now on`)
    onDone()
  }
  return (
    <Modal title={`Remove ${visibleLine(token.name, 60)}`} class="share" onClose={onClose}>
      <p>
        Everybody who uses this token is refused within two seconds, and its logins and links end. Its sessions stay.
        This cannot be undone.
      </p>
      <div class="actions">
        <button type="button" onClick={onClose}>
          Keep it
        </button>
        <button type="button" class="primary" onClick={() => void remove()}>
          Remove the token
        </button>
      </div>
    </Modal>
  )
}
