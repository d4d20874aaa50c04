import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { PithError } from '../../model/problems/errors.ts'
import type { Entry, EntryDraft } from '../../model/types.ts'
import type { Session, SessionDraft, SessionId, Store } from '../../store/store.ts'
import { type Caller, HttpError } from './http-error.ts'

/** The refusal of a key that was sent before with another body. Treating it as the same request would lose the new body. */
export function otherBody(): HttpError {
  return new HttpError(422, 'other-body', 'this Idempotency-Key was sent before with another body: send a new key')
}

/** Refuses entries that an append with the same key added, if they are not those of this request. */
export function checkSame(entries: readonly Entry[], drafts: readonly EntryDraft[]): void {
  const added = entries.map(({ id: _, seq: __, at: ___, ...draft }) => draft)
  // Compared as JSON, because JSON drops keys without a value.
  if (!isDeepStrictEqual(asJson(added), asJson(drafts))) throw otherBody()
}

/** The key of the first append to a session. It depends on the body, so that another body does not count as a repetition. */
export function bodyKey(what: string, body: unknown): string {
  return `${what} ${createHash('sha256').update(JSON.stringify(body)).digest('base64url')}`
}

/** Appends the first entries of a new session. If the log has other entries already, another body had the same key. */
export async function appendFirst(
  store: Store,
  id: SessionId,
  drafts: readonly EntryDraft[],
  key: string,
): Promise<void> {
  const check = (earlier: readonly Entry[]) => (earlier.length === 0 ? undefined : 'it has begun')
  const appended = await store.append(id, drafts, { key, guard: { since: 0, check } })
  if (!appended.ok) throw otherBody()
}

/** Creates a session, once for its key. The key of a session that was deleted since is refused. */
export async function createOnce(store: Store, draft: SessionDraft): Promise<Session> {
  try {
    return await store.createSession(draft)
  } catch (error) {
    if (draft.key !== undefined && error instanceof PithError && error.code === 'unknown-session')
      throw new HttpError(410, 'deleted', 'the session of this Idempotency-Key was deleted: send a new key')
    throw error
  }
}

function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

/** The idempotency key of a post, unique over owners and routes; undefined when the caller sent none. */
export function requestKey(
  { owner }: Caller,
  what: string,
  headers: { readonly 'idempotency-key'?: string | undefined },
): string | undefined {
  const key = headers['idempotency-key']
  return key === undefined ? undefined : `${owner}\n${what}\n${key}`
}
