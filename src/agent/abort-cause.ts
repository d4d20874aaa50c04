/**
 * The reason of a signal that a limit aborts and not the user, as in "the run took longer than 60 s (--max-time)". It has
 * the name of every abort: a tool that throws it was ended, it has not failed.
 */
export class LimitReached extends DOMException {
  constructor(limit: string) {
    super(limit, 'AbortError')
  }
}

/** What aborted a signal, to stand behind a verb: "by the user", or "because" and the limit. */
export function abortCause({ reason }: AbortSignal): string {
  return reason instanceof LimitReached ? `because ${reason.message}` : 'by the user'
}

/** The end of a turn by an aborted signal, for people. */
export function abortText({ reason }: AbortSignal): string {
  return reason instanceof LimitReached ? `Stopped: ${reason.message}` : 'Interrupted'
}
