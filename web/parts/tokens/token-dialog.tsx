import { useState } from 'preact/hooks'
import type { WireNewToken, WireTokenInfo } from '../../../src/contract/routes/token-routes.ts'
import { useApp } from '../../hooks/app-context.ts'
import { visibleLine } from '../../text/visible.ts'
import { Modal } from '../modal.tsx'

type Rights = 'read' | 'write' | 'admin'

const RIGHTS: readonly (readonly [Rights, string])[] = [
  ['read', 'Read'],
  ['write', 'Read and write'],
  ['admin', 'Read, write and administer tokens'],
]

const DAY_MS = 86_400_000
const LIVES = [
  ['', 'Until it is removed'],
  ['1', 'A day'],
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', 'A year'],
] as const
/** The choice that leaves the end of a token as it is. */
const SAME = 'same'

type DialogProps = {
  /** The token to change; without it, a new one is made. */
  readonly token?: WireTokenInfo
  readonly onClose: () => void
  readonly onDone: (made: WireNewToken) => void
}

/** Makes a token, or changes the rights and limits of one. */
export function TokenDialog({ token, onClose, onDone }: DialogProps) {
  const { client } = useApp()
  const [name, setName] = useState('')
  const [owner, setOwner] = useState('')
  const [rights, setRights] = useState<Rights>(token === undefined ? 'write' : token.admin ? 'admin' : token.access)
  const [days, setDays] = useState<string>(token === undefined ? '' : SAME)
  const [dollars, setDollars] = useState(String(token?.budget?.usd_per_day ?? ''))
  const [tokens, setTokens] = useState(String(token?.budget?.tokens_per_day ?? ''))
  const [refused, setRefused] = useState<string>()
  const send = async () => {
    const budget = { usd_per_day: numberOf(dollars), tokens_per_day: numberOf(tokens) }
    const hasBudget = budget.usd_per_day !== undefined || budget.tokens_per_day !== undefined
    const access = { access: rights === 'read' ? 'read' : 'write', admin: rights === 'admin' }
    const until = days === SAME ? {} : { expires: expiresAfter(days) }
    const limits = { budget: hasBudget ? budget : null }
    const answer =
      token === undefined
        ? await client.ask<WireNewToken>('/v1/tokens', {
            method: 'POST',
            body: withoutNulls({ name: name.trim(), owner: owner.trim() || null, ...access, ...until, ...limits }),
          })
        : await client.ask<WireNewToken>(`/v1/tokens/${encodeURIComponent(token.name)}`, {
            method: 'PATCH',
            body: token.is_own ? limits : { ...access, ...until, ...limits },
          })
    if (answer.ok) onDone(answer.value)
    else setRefused(answer.message)
  }
  const title = token === undefined ? 'New token' : `Change ${visibleLine(token.name, 60)}`
  return (
    <Modal title={title} class="share token-dialog" onClose={onClose}>
      <form
        onInput={() => setRefused(undefined)}
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        {token === undefined && (
          <>
            <Field label="Name (letters, digits, . - _)" value={name} onValue={setName} required />
            <Field label="Whose sessions it sees, if not its own" value={owner} onValue={setOwner} />
          </>
        )}
        {token?.is_own === true ? (
          <p class="soft">This is your own token: another administrator can change its rights.</p>
        ) : (
          <>
            <label>
              What it may do
              <select value={rights} onChange={(event) => setRights(event.currentTarget.value as Rights)}>
                {RIGHTS.map(([value, text]) => (
                  <option key={value} value={value}>
                    {text}
                  </option>
                ))}
              </select>
            </label>
            <label>
              How long it works
              <select value={days} onChange={(event) => setDays(event.currentTarget.value)}>
                {token !== undefined && <option value={SAME}>As before</option>}
                {LIVES.map(([value, text]) => (
                  <option key={value} value={value}>
                    {text}
                  </option>
                ))}
              </select>
            </label>
          </>
        )}
        <Field label="Dollars a day; empty for no limit" value={dollars} onValue={setDollars} number="any" />
        <Field label="Tokens a day; empty for no limit" value={tokens} onValue={setTokens} number="1" />
        {refused !== undefined && (
          <p class="bad" role="alert">
            {refused}
          </p>
        )}
        <button type="submit" class="primary">
          {token === undefined ? 'Make the token' : 'Save'}
        </button>
      </form>
    </Modal>
  )
}

type FieldProps = {
  readonly label: string
  readonly value: string
  readonly onValue: (value: string) => void
  readonly required?: boolean
  /** The step of a number. */
  readonly number?: string
}

function Field({ label, value, onValue, required = false, number }: FieldProps) {
  return (
    <label>
      {label}
      <input
        {...(number === undefined ? { type: 'text' } : { type: 'number', min: '0', step: number })}
        autocomplete="off"
        required={required}
        value={value}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
    </label>
  )
}

/** The end of a token that works for this many days; null if it works until it is removed. */
function expiresAfter(days: string): string | null {
  return days === '' ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString()
}

function numberOf(text: string): number | undefined {
  return text.trim() === '' ? undefined : Number(text)
}

/** A new token has no limit that could be taken away. */
function withoutNulls(body: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
}
