/**
 * The reason of a signal that something else than the user aborts, as a clause: "the run took longer than 60 s (--max-time)",
 * "the server shut down". It has the name of every abort: a tool that throws it was ended, it has not failed.
 */
export class AbortReason extends DOMException {
  constructor(clause: string) {
    super(clause, 'AbortError')
  }
}

/** What aborted a signal, to stand behind a verb: "by the user", or "because" and the reason. */
export function abortCause({ reason }: AbortSignal): string {
  return reason instanceof AbortReason ? `because ${reason.message}` : 'by the user'
}

/** The end of a turn by an aborted signal, for people. */
export function abortText({ reason }: AbortSignal): string {
  return reason instanceof AbortReason ? `Stopped: ${reason.message}` : 'Interrupted'
}
