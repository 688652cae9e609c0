// Nothing: it stands for the headers that are compiled beforehand (CMakeLists.txt).
