export { inspect } from './inspect.ts'
export { imageLibrary } from './raster.ts'
export { makeCrop, makeSizes } from './sizes.ts'
