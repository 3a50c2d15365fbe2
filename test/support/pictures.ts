/** A red square of 8 by 8 pixels, as a PNG in base64. */
export const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR42mM4o2SMFTEMLQkAYaxIQew+RRYAAAAASUVORK5CYII=';

/** One pixel, as a WebP in base64. */
export const WEBP = 'UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==';
