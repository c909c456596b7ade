import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.PSSParameterSpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.Locale;

/**
 * Checks and makes policies with java.security.Signature alone, as an Android client does.
 *
 * <p>`java JavaPeer.java FOLDER ALG…`: for each algorithm the folder holds `ALG.pem` (PKCS#8),
 * `ALG.pub.pem` (SPKI), `ALG.standard.jws` and `ALG.cnpinning.jws`, and `payload.json`. Prints a
 * line a check, `ALG WHAT yes|no|error …`, and leaves `ALG.java.jws`, signed over the payload.
 */
public final class JavaPeer {
  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]);
    byte[] payload = Files.readAllBytes(folder.resolve("payload.json"));
    for (int index = 1; index < arguments.length; index++) {
      String algorithm = arguments[index];
      PublicKey publicKey = publicKey(folder.resolve(algorithm + ".pub.pem"), algorithm);
      PrivateKey privateKey = privateKey(folder.resolve(algorithm + ".pem"), algorithm);
      for (String profile : new String[] {"standard", "cnpinning"}) {
        String policy = Files.readString(folder.resolve(algorithm + "." + profile + ".jws")).trim();
        say(algorithm, profile, answer(policy, algorithm, publicKey));
        say(algorithm, profile + "-tampered", answer(tampered(policy), algorithm, publicKey));
      }
      String header =
          "{\"alg\":\"" + algorithm + "\",\"kid\":\"" + thumbprint(publicKey)
              + "\",\"typ\":\"pin-policy+jwt\"}";
      String input = encode(header.getBytes(StandardCharsets.UTF_8)) + "." + encode(payload);
      Signature signer = signature(algorithm);
      signer.initSign(privateKey);
      signer.update(input.getBytes(StandardCharsets.US_ASCII));
      Files.writeString(folder.resolve(algorithm + ".java.jws"), input + "." + encode(signer.sign()));
      say(algorithm, "thumbprint", thumbprint(publicKey));
    }
  }

  private static void say(String algorithm, String what, String answer) {
    System.out.println(algorithm + " " + what + " " + answer);
  }

  private static String answer(String policy, String algorithm, PublicKey key) {
    try {
      String[] segments = policy.split("\\.", -1);
      if (segments.length != 3) {
        return "error segments";
      }
      Signature verifier = signature(algorithm);
      verifier.initVerify(key);
      verifier.update((segments[0] + "." + segments[1]).getBytes(StandardCharsets.US_ASCII));
      return verifier.verify(Base64.getUrlDecoder().decode(segments[2])) ? "yes" : "no";
    } catch (Exception failure) {
      return "error " + failure;
    }
  }

  /** The policy with one bit of its payload's middle changed. */
  private static String tampered(String policy) {
    String[] segments = policy.split("\\.", -1);
    byte[] payload = Base64.getUrlDecoder().decode(segments[1]);
    payload[payload.length / 2] ^= 1;
    return segments[0] + "." + encode(payload) + "." + segments[2];
  }

  private static Signature signature(String algorithm) throws Exception {
    int bits = Integer.parseInt(algorithm.substring(2));
    switch (algorithm.substring(0, 2)) {
      case "RS":
        return Signature.getInstance("SHA" + bits + "withRSA");
      case "PS":
        String digest = "SHA-" + bits;
        Signature signature = Signature.getInstance("RSASSA-PSS");
        // RFC 7518 §3.5: MGF1 with the same hash, a salt of its length.
        signature.setParameter(
            new PSSParameterSpec(digest, "MGF1", new MGF1ParameterSpec(digest), bits / 8, 1));
        return signature;
      default:
        return Signature.getInstance("SHA" + bits + "withECDSA");
    }
  }

  private static KeyFactory factory(String algorithm) throws Exception {
    return KeyFactory.getInstance(algorithm.startsWith("ES") ? "EC" : "RSA");
  }

  private static PublicKey publicKey(Path file, String algorithm) throws Exception {
    return factory(algorithm).generatePublic(new X509EncodedKeySpec(pem(file, "PUBLIC KEY")));
  }

  private static PrivateKey privateKey(Path file, String algorithm) throws Exception {
    return factory(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pem(file, "PRIVATE KEY")));
  }

  private static byte[] pem(Path file, String label) throws Exception {
    String text = Files.readString(file).trim();
    String begin = "-----BEGIN " + label + "-----";
    String end = "-----END " + label + "-----";
    if (!text.startsWith(begin) || !text.endsWith(end)) {
      throw new IllegalArgumentException(file + " is no " + label);
    }
    String body = text.substring(begin.length(), text.length() - end.length());
    return Base64.getMimeDecoder().decode(body);
  }

  /** The key's id as RFC 7638 makes it: SHA-256 of the required JWK members in order. */
  private static String thumbprint(PublicKey key) throws Exception {
    String jwk;
    if (key instanceof RSAPublicKey) {
      RSAPublicKey rsa = (RSAPublicKey) key;
      jwk = String.format(
          Locale.ROOT, "{\"e\":\"%s\",\"kty\":\"RSA\",\"n\":\"%s\"}",
          number(rsa.getPublicExponent(), 0), number(rsa.getModulus(), 0));
    } else {
      ECPublicKey ec = (ECPublicKey) key;
      int bits = ec.getParams().getCurve().getField().getFieldSize();
      int size = (bits + 7) / 8;
      jwk = String.format(
          Locale.ROOT, "{\"crv\":\"P-%d\",\"kty\":\"EC\",\"x\":\"%s\",\"y\":\"%s\"}", bits,
          number(ec.getW().getAffineX(), size), number(ec.getW().getAffineY(), size));
    }
    return encode(MessageDigest.getInstance("SHA-256").digest(jwk.getBytes(StandardCharsets.UTF_8)));
  }

  /** A number as base64url of its big-endian bytes, filled up to a size. */
  private static String number(BigInteger value, int size) {
    byte[] bytes = value.toByteArray();
    int skip = bytes.length > 1 && bytes[0] == 0 ? 1 : 0;
    int length = bytes.length - skip;
    byte[] result = new byte[Math.max(size, length)];
    System.arraycopy(bytes, skip, result, result.length - length, length);
    return encode(result);
  }

  private static String encode(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
