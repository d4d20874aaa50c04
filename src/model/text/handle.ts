/** How a user finds again what the view does not show: `recall` takes it. */
export function handle(seq: number): string {
  return `#${seq}`
}
