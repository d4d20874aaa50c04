/** A request for a whole answer is an oddity: clients of ours stream. */
export function onlyStreams({ stream }: { readonly stream?: boolean | null }): string[] {
  return stream === true ? [] : ['this server only streams']
}
