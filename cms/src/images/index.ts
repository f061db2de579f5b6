export { makeCrop, readCrop, refuseCrop } from './crop-image.ts'
export { inspect } from './inspect.ts'
export { imageLibrary } from './library.ts'
export { makeSizes } from './sizes.ts'
