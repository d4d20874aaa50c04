export function repositoryAddress(manifest: { repository?: string | { readonly url?: string } }): string | undefined
