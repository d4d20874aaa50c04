import type { IndexDelta, UserFact } from '../model/log-index.ts'
import { shorten } from './shorten.ts'

/** More than any index shows: what is stored with a compaction must not become a second copy of the log. */
const USERS_CHARACTERS = 32_000
const USER_CHARACTERS = 8_000
const MOST_FACTS = 200

/**
 * What of a span's facts is stored with its compaction. Of what the user said, the newest messages, long ones by head
 * and tail; the first one of all whole up to `firstCharacters`. The counts say how many were left out.
 */
export function storedDelta(delta: IndexDelta, isFirst: boolean, firstCharacters: number): IndexDelta {
  const users = delta.users ?? []
  const stored = storedUsers(users, isFirst, firstCharacters)
  const before = delta.leftOut ?? { users: 0, constraints: 0, identifiers: 0 }
  const leftOut = {
    users: before.users + users.length - stored.length,
    constraints: before.constraints + Math.max(0, (delta.constraints?.length ?? 0) - MOST_FACTS),
    identifiers: before.identifiers + Math.max(0, (delta.identifiers?.length ?? 0) - MOST_FACTS),
  }
  const some = leftOut.users + leftOut.constraints + leftOut.identifiers > 0
  return {
    ...delta,
    ...(delta.users === undefined ? {} : { users: stored }),
    ...(delta.constraints === undefined ? {} : { constraints: delta.constraints.slice(-MOST_FACTS) }),
    ...(delta.identifiers === undefined ? {} : { identifiers: delta.identifiers.slice(-MOST_FACTS) }),
    ...(some ? { leftOut } : {}),
  }
}

function storedUsers(users: readonly UserFact[], isFirst: boolean, firstCharacters: number): UserFact[] {
  const [first, ...others] = isFirst ? users : [undefined, ...users]
  const kept: UserFact[] = []
  let left = USERS_CHARACTERS
  for (const fact of others.toReversed()) {
    if (fact === undefined) continue
    const short = shortened(fact, USER_CHARACTERS)
    left -= short.text.length
    if (left < 0) break
    kept.unshift(short)
  }
  return first === undefined ? kept : [shortened(first, Math.max(USER_CHARACTERS, firstCharacters)), ...kept]
}

function shortened(fact: UserFact, characters: number): UserFact {
  if (fact.text.length <= characters) return fact
  const half = Math.floor(characters / 2)
  const text = shorten(fact.text, half, half, (cut) => `\n[… ${cut} characters left out, recall #${fact.seq} …]\n`)
  return { ...fact, text, length: fact.text.length }
}
