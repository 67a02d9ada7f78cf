// A calibration of cameras: where each stands and what it sees.
import type { Camera, Sinew, Vec3 } from "sinew";
import type { CameraData, NamedFile } from "../protocol";

export async function camerasIn(sinew: Sinew, file: NamedFile): Promise<CameraData[]> {
  const bytes = new Uint8Array(await file.blob.arrayBuffer());
  using cameras = sinew.readCameras({ name: file.name, bytes }, null, null);
  return cameras.camera.map((camera) => dataOf(sinew, camera));
}

function dataOf(sinew: Sinew, camera: Camera): CameraData {
  const { x, y, z } = sinew.cameraPlace(camera);
  // Where the file does not say how large pictures are, their middle is where the axis meets them.
  const [width, height] = [camera.width || 2 * camera.centerX, camera.height || 2 * camera.centerY];
  const ray = (u: number, v: number): number[] => {
    const along: Vec3 = { x: 0, y: 0, z: 0 };
    return sinew.cameraRay(camera, [u, v], along) ? [along.x, along.y, along.z] : [NaN, NaN, NaN];
  };
  const axis = ray(camera.centerX, camera.centerY);
  const corners = [ray(0, 0), ray(width, 0), ray(width, height), ray(0, height)].flat();
  return { name: camera.name, size: [camera.width, camera.height], place: [x, y, z], axis, corners };
}
