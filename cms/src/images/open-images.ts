/** The module that processes images. Its libraries are large, and loaded when the first image arrives. */
export const openImages = () => import('./index.ts')
