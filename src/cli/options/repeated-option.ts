/** One value for each time that the flag is written. Commander's own lists would take the prompt behind them as a value. */
export function repeatedOption(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}
