/** Wraps a listener so that its errors end neither a compaction nor the agent's run. */
export function safeListener<E>(listener: ((event: E) => void) | undefined): (event: E) => void {
  return (event) => {
    try {
      listener?.(event)
    } catch {
      // For example, the view that displays the events may have been closed.
    }
  }
}
