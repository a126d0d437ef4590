// The library for the JVM, over the sources that jvm-bindings/pom.xml builds too. A test keeps the two descriptions equal.

import org.jetbrains.kotlin.gradle.dsl.JvmTarget

plugins {
    `java-library`
    `maven-publish`
    kotlin("jvm") version "2.4.21"
}

group = "io.github.dicechess"
version = "0.1.0"
description = "Exact chance-node expectimax for Dice Chess: a Java facade with its native library inside"

dependencies {
    compileOnly("org.jspecify:jspecify:1.0.1")

    testCompileOnly("org.jspecify:jspecify:1.0.1")
    testImplementation("com.google.code.gson:gson:2.15.0")
    testImplementation("net.jqwik:jqwik:1.9.3")
    testImplementation("org.jetbrains.kotlin:kotlin-stdlib:2.4.21")
    testImplementation("org.junit.jupiter:junit-jupiter:6.1.3")
    testRuntimeOnly("org.junit.platform:junit-platform-launcher")
}

sourceSets {
    main {
        java.setSrcDirs(listOf("jvm-bindings/src/main/java"))
        resources.setSrcDirs(listOf("jvm-bindings/src/main/resources"))
    }
    test {
        java.setSrcDirs(listOf("jvm-bindings/src/test/java"))
        resources.setSrcDirs(listOf("jvm-bindings/src/test/resources"))
    }
}

java {
    sourceCompatibility = JavaVersion.VERSION_17
    targetCompatibility = JavaVersion.VERSION_17
    withSourcesJar()
    withJavadocJar()
}

kotlin {
    sourceSets.test {
        kotlin.setSrcDirs(listOf("jvm-bindings/src/test/kotlin"))
    }
    compilerOptions {
        jvmTarget = JvmTarget.JVM_17
        allWarningsAsErrors = true
    }
}

tasks.withType<JavaCompile>().configureEach {
    options.encoding = "UTF-8"
    options.release = 17
}

tasks.compileJava {
    // Not "exports": it would make users require the nullness annotations.
    options.compilerArgs.addAll(listOf("-Xlint:all,-exports", "-Xdoclint:all/protected", "-Werror"))
}

tasks.compileTestJava {
    options.compilerArgs.addAll(listOf("-Xlint:all", "-Werror"))
}

// Directory of the library inside the jar; Platform.java derives the same names at run time.
val nativeOs = System.getProperty("os.name").lowercase().let { name ->
    when {
        name.startsWith("mac") -> "macos"
        name.startsWith("windows") -> "windows"
        else -> name
    }
}
val nativeArch = System.getProperty("os.arch").let { if (it == "amd64") "x86_64" else it }
val nativeFile = System.mapLibraryName("dicechess_native")

val cargoBuild by tasks.registering(Exec::class) {
    group = LifecycleBasePlugin.BUILD_GROUP
    description = "Builds the native library. Cargo itself knows what is up to date."
    commandLine("cargo", "build", "--release", "--locked")
    environment("CARGO_TARGET_DIR", layout.projectDirectory.dir("target").asFile)
    outputs.file(layout.projectDirectory.file("target/release/$nativeFile"))
    outputs.upToDateWhen { false }
}

// The library with faults on demand, which FaultInjectionTest loads.
val cargoBuildWithFaults by tasks.registering(Exec::class) {
    group = LifecycleBasePlugin.VERIFICATION_GROUP
    description = "Builds the native library with faults on demand."
    commandLine(
        "cargo", "build", "--lib", "--profile", "test", "--features", "fault-injection", "--locked",
    )
    environment("CARGO_TARGET_DIR", layout.projectDirectory.dir("target").asFile)
    outputs.upToDateWhen { false }
}

tasks.processResources {
    from(cargoBuild) {
        into("META-INF/native/$nativeOs-$nativeArch")
    }
}

// The same sources give the same jars, byte for byte.
tasks.withType<AbstractArchiveTask>().configureEach {
    isPreserveFileTimestamps = false
    isReproducibleFileOrder = true
}

tasks.withType<Jar>().configureEach {
    metaInf {
        from("LICENSE-MIT", "LICENSE-APACHE")
    }
}

tasks.jar {
    manifest {
        attributes(
            "Implementation-Title" to project.name,
            "Implementation-Version" to project.version,
            "Main-Class" to "dicechess.engine.demo.Demo",
            // Honoured for `java -jar` on JDK 22 and later; a service that has this jar on its class path passes its
            // own enable-native-access flag.
            "Enable-Native-Access" to "ALL-UNNAMED",
        )
    }
}

tasks.javadoc {
    (options as StandardJavadocDocletOptions).apply {
        encoding = "UTF-8"
        addBooleanOption("Xdoclint:all", true)
        addBooleanOption("Werror", true)
        addBooleanOption("notimestamp", true)
    }
}

tasks.test {
    dependsOn(cargoBuildWithFaults)
    useJUnitPlatform()
    // These look into the jars that Maven packs.
    exclude("**/*IT.class")
    workingDir = file("jvm-bindings")
    jvmArgs("--enable-native-access=ALL-UNNAMED")
    systemProperty("basedir", file("jvm-bindings"))
    systemProperty("project.version", project.version)
    val cache = layout.buildDirectory.get().asFile
    systemProperty("dicechess.native.tmpdir", cache)
    systemProperty("dicechess.test.faultInjection", layout.projectDirectory.dir("target/debug").asFile)
    // For the JVMs that tests start.
    systemProperty(
        "dicechess.test.jvmOptions",
        "--enable-native-access=ALL-UNNAMED -Ddicechess.native.tmpdir=$cache",
    )
}

publishing {
    publications {
        create<MavenPublication>("library") {
            from(components["java"])
            pom {
                name = project.name
                description = project.description
                licenses {
                    license { name = "MIT" }
                    license { name = "Apache-2.0" }
                }
            }
        }
    }
}
