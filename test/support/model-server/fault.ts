import type { ModelRequest } from './model-request.ts'
import { randomFrom } from './random.ts'

/** A fault of a request, as it happens in the wild. */
export type Fault =
  | { readonly fault: 'rate-limit'; readonly retryAfterSeconds?: number }
  | { readonly fault: 'server-error'; readonly retryAfterMs?: number }
  /** A bare status, with these headers and this message. */
  | {
      readonly fault: 'http'
      readonly status: number
      readonly message?: string
      readonly headers?: Readonly<Record<string, string>>
    }
  /** A page for people, with status 200. */
  | { readonly fault: 'page' }
  /** Nothing but the end of the stream. */
  | { readonly fault: 'nothing' }
  /** An error inside the stream, in these words. */
  | { readonly fault: 'words-in-stream'; readonly words: string; readonly when: 'before' | 'inside' }
  | { readonly fault: 'overloaded' }
  | { readonly fault: 'overflow' }
  /** The connection breaks before any of the answer. */
  | { readonly fault: 'reset' }
  /** The connection breaks in the middle of the answer. */
  | { readonly fault: 'reset-in-stream' }
  /** One event of the stream is not JSON. */
  | { readonly fault: 'malformed' }
  /** The provider reports an error in the middle of the answer. */
  | { readonly fault: 'error-in-stream' }
  /** The headers come, and then nothing. */
  | { readonly fault: 'silence' }
  /** Half of the answer comes, and then nothing. */
  | { readonly fault: 'silence-in-stream' }
  /** The stream ends as if all were well, but in the middle of the answer. */
  | { readonly fault: 'truncated' }
  /** All comes, with a pause before each event. */
  | { readonly fault: 'slow'; readonly pauseMs: number }

/** When a fault happens: at requests by their number (from 1), when a predicate holds, or at random with a seed. */
export type FaultRule =
  | { readonly at: number | readonly number[]; readonly fault: Fault }
  | {
      readonly when: (request: ModelRequest, number: number) => boolean
      readonly fault: Fault
      /** The most often that it happens. */
      readonly times?: number
    }
  | { readonly chance: number; readonly seed: number; readonly faults: readonly Fault[] }

/** Which fault a request meets, if any: that of the first rule that applies. */
export type FaultPlan = (request: ModelRequest, number: number) => Fault | undefined

export function faultPlan(rules: readonly FaultRule[]): FaultPlan {
  const plans = rules.map(planOf)
  // Every rule is asked each time, so that what one rule does does not shift the dice of another.
  return (request, number) => plans.map((plan) => plan(request, number)).find((fault) => fault !== undefined)
}

function planOf(rule: FaultRule): FaultPlan {
  if ('at' in rule) {
    const numbers = [rule.at].flat()
    return (_, number) => (numbers.includes(number) ? rule.fault : undefined)
  }
  if ('when' in rule) {
    let left = rule.times ?? Number.POSITIVE_INFINITY
    return (request, number) => (rule.when(request, number) && left-- > 0 ? rule.fault : undefined)
  }
  const random = randomFrom(rule.seed)
  return () => {
    const happens = random() < rule.chance
    const which = Math.floor(random() * rule.faults.length)
    return happens ? rule.faults[which] : undefined
  }
}
