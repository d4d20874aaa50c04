/**
 * The reason of an abort that the user did not cause, as a clause: "the run took longer than 60 s (--max-time)", "the server
 * shut down". Its name is `AbortError`, so that a tool that throws it counts as aborted and not as failed.
 */
export class AbortReason extends DOMException {
  constructor(clause: string) {
    super(clause, 'AbortError')
  }
}

/** The cause of an abort, to go after a verb: "by the user", or "because" and the reason. */
export function abortCause({ reason }: AbortSignal): string {
  return reason instanceof AbortReason ? `because ${reason.message}` : 'by the user'
}

/** The end of a turn by an aborted signal, for people. */
export function abortText({ reason }: AbortSignal): string {
  return reason instanceof AbortReason ? `Stopped: ${reason.message}` : 'Interrupted'
}
